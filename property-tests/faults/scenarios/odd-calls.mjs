import fc from 'fast-check';
import { countAcked } from '../frame/ledger.mjs';
import { openOracle } from '../frame/oracle.mjs';
import { playRounds } from '../frame/rounds.mjs';
import { makeOddWorld, openGoodWork } from '../input/good-work.mjs';
import { judgeAnswer } from '../input/judge-answer.mjs';
import { oddCall, openTokens } from '../input/odd-calls.mjs';
import { textOf } from '../input/odd-values.mjs';
import { eraOf, inEra, startRawServer } from '../input/raw-server.mjs';
import { sessionsOf, tellSessions } from '../input/tell-sessions.mjs';

/** Calls to one server in a round, and how many of them are on their way at once. */
const batches = 20;
const atOnce = 25;

export const scenario = {
  name: 'odd-calls',
  says: 'calls of all tools near their schemas, with values of every odd kind, tokens that were given and nearly; each is answered in its form, the next good call works, what was said can be told',
  needs: ['linux'],
  mutants: ['depth-unchecked'],
  rounds: 20,
  smoke: 2,
  mutantRounds: 3,
  run: async (options) => {
    const { build, sound } = options;
    const oracle = openOracle(sound);
    const sum = await playRounds(options, 'odd-calls', async ({ round, folder, dice }) => {
      const world = makeOddWorld(folder);
      const era = eraOf(round);
      const server = startRawServer(build, world, { era });
      const work = openGoodWork(`C${round}`);
      const tokens = openTokens();
      const violations = [];
      let tried = 0;
      await server.initialize();
      for (let batch = 0; batch < batches && !server.isOver() && violations.length === 0; batch += 1) {
        const calls = fc.sample(oddCall, { seed: dice.below(2 ** 31), numRuns: atOnce });
        const answers = calls.map(async (params) => {
          const id = tried++;
          const text = `{"jsonrpc":"2.0","id":${id},"method":"tools/call","params":${tokens.put(textOf(inEra(era, params)))}}`;
          const answer = server.answerTo(id);
          void server.write(`${text}\n`);
          const message = await answer;
          tokens.heard(message?.result?._meta?.['workrail/answer']);
          return judgeAnswer(message, text);
        });
        violations.push(...(await Promise.all(answers)).flat(), ...(await work.step(server)));
      }
      const { code, signal } = await server.close();
      if (code !== 0) violations.push(`the server ended with ${signal ?? code}: ${server.stderr().slice(-500)}`);
      violations.push(...server.problems);
      const { violations: lost } = await oracle.judge(world, work.ledger.entries, { repeats: 30 });
      violations.push(
        ...lost,
        ...(violations.length > 0
          ? []
          : await tellSessions(sound, world, sessionsOf(world).slice(0, options.rounds > 1 ? 2 : 1))),
      );
      return { tried, injected: tried, hit: tried, acked: countAcked(work.ledger), violations };
    });
    oracle.close();
    return sum;
  },
};
