import { countAcked } from '../frame/ledger.mjs';
import { openOracle } from '../frame/oracle.mjs';
import { playRounds } from '../frame/rounds.mjs';
import { makeOddWorld, openGoodWork } from '../input/good-work.mjs';
import { judgeAnswer } from '../input/judge-answer.mjs';
import { oddBytes } from '../input/odd-bytes.mjs';
import { openTokens } from '../input/odd-calls.mjs';
import { eraOf, startRawServer } from '../input/raw-server.mjs';
import { sessionsOf, tellSessions } from '../input/tell-sessions.mjs';

/** Messages to one server in a round; after each batch a good call. */
const batches = 50;
const atOnce = 100;
/** A heap that holds a server and some sessions, and not what was said to it. */
const heap = ['--max-old-space-size=192'];
/** What a server of that heap may take in memory with everything: Node itself has some 60 MB. */
const mostMemory = 420 * 1024 * 1024;

/**
 * The form of `initialize` is checked by the SDK, which calls what does not fit it a mistake of its own. It is the one
 * answer that is not ours.
 */
const ofTheSdk = ({ error }) =>
  error?.code === -32603 && /"(?:protocolVersion|clientInfo|capabilities|params)"/u.test(error.message);

export const scenario = {
  name: 'odd-bytes',
  says: 'spoilt messages, odd methods, parameters and ids, batches, texts that are no JSON, in bytes; stdout stays clean, memory flat, every answer has its form, the next good call works',
  needs: ['linux'],
  mutants: ['ends-at-odd-lines', 'lines-on-stdout'],
  rounds: 20,
  smoke: 2,
  mutantRounds: 1,
  run: async (options) => {
    const { build, sound, log } = options;
    const oracle = openOracle(sound);
    let most = 0;
    const began = performance.now();
    const sum = await playRounds(options, 'odd-bytes', async ({ round, folder, dice }) => {
      const world = makeOddWorld(folder);
      const era = eraOf(round);
      const server = startRawServer(build, world, { node: heap, era });
      const work = openGoodWork(`B${round}`);
      const tokens = openTokens();
      const violations = [];
      let tried = 0;
      await server.initialize();
      for (const workflowId of ['user.chain', 'user.asking'])
        tokens.heard((await server.call('start_workflow', { workflowId, session: 'RAW-1' }))?.answer);
      for (let batch = 0; batch < batches && !server.isOver() && violations.length === 0; batch += 1) {
        const messages = Array.from({ length: atOnce }, () => oddBytes(dice, tokens.put, era));
        tried += messages.length;
        await server.write(Buffer.concat([...messages, Buffer.from('\n')]));
        violations.push(...(await work.step(server)));
        for (const message of server.strangers()) {
          if (!ofTheSdk(message)) violations.push(...judgeAnswer(message, 'odd bytes'));
          tokens.heard(message.result?._meta?.['workrail/answer']);
        }
      }
      const memory = server.memory();
      most = Math.max(most, memory.most);
      if (memory.most > mostMemory) violations.push(`the server took ${memory.most} bytes of memory`);
      const { code, signal } = await server.close();
      if (code !== 0) violations.push(`the server ended with ${signal ?? code}: ${server.stderr().slice(-500)}`);
      violations.push(...server.problems);
      const { violations: lost } = await oracle.judge(world, work.ledger.entries, { repeats: 60 });
      violations.push(
        ...lost,
        ...(violations.length > 0
          ? []
          : await tellSessions(sound, world, sessionsOf(world).slice(0, 1), ['render html', 'log'])),
      );
      return { tried, injected: tried, hit: tried, acked: countAcked(work.ledger), violations };
    });
    oracle.close();
    log(
      `odd-bytes on ${build.name}: ${Math.round((sum.tried / (performance.now() - began)) * 1000)} messages a second, at most ${Math.round(most / 2 ** 20)} MiB of memory`,
    );
    return sum;
  },
};
