import { join } from 'node:path';
import { startAgent } from '../frame/agent.mjs';
import { runCommand } from '../frame/command.mjs';
import { diceOf } from '../frame/dice.mjs';
import { eventsOnDisk, judgeVersions } from '../frame/judge-versions.mjs';
import { playRounds } from '../frame/rounds.mjs';
import { makeWorld } from '../frame/world.mjs';

const session = 'SHARED';
const courteous = new Set(['SESSION_BUSY', 'STATE_CONFLICT']);

/** Rounds go from short to long, with the lock and without it by turns. */
const sizeOf = (round, isMutant) =>
  isMutant ? { writers: 2, writes: 40 } : round < 2 ? { writers: 4, writes: 50 } : { writers: 8, writes: 2_000 };

/** One writer of a state: each write says a mark of its own. Its own place, places that all write to, and a list. */
function openWriter({ agent, dice, writer, asked }) {
  let known;
  let count = 0;
  const operations = (mark) => {
    const own = { op: 'add', path: `/own/w${writer}`, value: mark };
    if (count % 100 === 1) return [own, { op: 'add', path: `/marks/${mark}`, value: 1 }];
    if (count % 50 === 2) return [own, { op: 'add', path: '/list/-', value: mark }];
    return dice.chance(0.2) ? [{ op: 'add', path: `/shared/s${dice.below(4)}`, value: mark }] : [own];
  };
  return async () => {
    count += 1;
    const mark = `w${writer}-${count}`;
    const args = { operations: operations(mark) };
    const roll = dice.below(10);
    if (roll < 3 && known !== undefined) args.writeToken = known.writeToken;
    else args.session = session;
    if (roll === 3 && known !== undefined) args.expectedVersion = known.version;
    const entry = { mark, outcome: 'asked', args };
    asked.push(entry);
    // The same token again is the same write; without one, only what was refused is said again.
    const times = args.writeToken !== undefined && dice.chance(0.3) ? 2 : 1;
    // What is put at the end touches nothing: done twice, it would stand there twice.
    if (times === 2) args.operations = [{ op: 'add', path: '/list/-', value: mark }];
    for (let time = 0; time < times; time += 1) {
      const result = await agent.call('state_patch', args);
      if (result === undefined) return false;
      const { answer } = result;
      if (result.isError) {
        if (entry.outcome !== 'acked')
          Object.assign(entry, { outcome: 'refused', code: answer.error_code, text: result.text });
      } else {
        if (entry.outcome === 'acked' && entry.etag !== answer.etag) entry.twice = `${entry.etag} and ${answer.etag}`;
        Object.assign(entry, { outcome: 'acked', etag: answer.etag, version: answer.version });
      }
      // What it knows of grows old now and then.
      if (!result.isError && dice.chance(0.7)) known = answer;
    }
    return true;
  };
}

async function begin(build, world) {
  // Long enough that no write is recorded as the document as a whole.
  const first = JSON.stringify({ own: {}, shared: {}, marks: {}, list: [], about: 'x'.repeat(500) });
  const { code, out, err } = await runCommand(build, world, ['state', 'create', session, 'any', first]);
  if (code !== 0) throw new Error(`the state cannot be created: ${out}${err}`);
}

async function playRound(options, { round, folder }) {
  const { build, sound, seed, stopAtFirst } = options;
  const alone = round % 2 === 0;
  const env = alone ? {} : { WORKRAIL_LOCK: 'off' };
  const { writers, writes } = sizeOf(round, stopAtFirst);
  const world = makeWorld(folder);
  await begin(sound, world);
  const on = { ...sound, program: build.program };
  const agents = await Promise.all(
    Array.from({ length: writers }, () => startAgent(on, world, { env, server: ['--toolsets', 'state'] })),
  );
  const asked = [];
  const work = agents.map((agent, writer) =>
    openWriter({ agent, writer, asked, dice: diceOf(seed, 'state-writers', round, writer) }),
  );
  const alive = await Promise.all(
    work.map(async (write) => {
      for (let at = 0; at < writes; at += 1) if (!(await write())) return false;
      return true;
    }),
  );
  const violations = alive.includes(false) ? ['a server went away'] : [];
  // The next write brings together what is still apart.
  for (let more = true; more && violations.length === 0; more = asked.at(-1).outcome !== 'acked') await work[0]();
  await Promise.all(agents.map((agent) => agent.kill()));
  const strange = asked.find(({ outcome, code }) => outcome === 'refused' && !courteous.has(code));
  if (strange !== undefined)
    violations.push(`${strange.mark} is refused as ${strange.code}: ${strange.text.slice(0, 200)}`);
  violations.push(
    ...asked.flatMap(({ mark, twice }) => (twice === undefined ? [] : [`${mark}, said twice, is ${twice}`])),
  );
  const shown = await runCommand(sound, world, ['state', 'show', session, '--json']);
  if (shown.code !== 0) return { violations: [...violations, `it cannot be read: ${shown.out}${shown.err}`] };
  const { etag: head, current_data: value } = JSON.parse(shown.out);
  const events = eventsOnDisk(join(world.dataDir, 'sessions', session));
  violations.push(...judgeVersions(events, { asked, head, value }));
  const told = `${writers} writers, ${writes} writes each, ${alone ? 'with' : 'without'} the lock`;
  return {
    tried: asked.length,
    injected: asked.length,
    hit: asked.length,
    acked: asked.filter(({ outcome }) => outcome === 'acked').length,
    violations: violations.slice(0, 20).map((what) => `${told}: ${what}`),
  };
}

export const scenario = {
  name: 'state-writers',
  says: 'up to eight servers write to one shared state as fast as they can, with the lock and without it: each acknowledged write is in the history once, every number is explained, the document is what the operations come to, and nothing is overwritten unseen',
  needs: ['linux'],
  mutants: ['blind-to-others', 'merge-drops-changes', 'token-forgets-what-came-since', 'token-writes-again'],
  rounds: 4,
  smoke: 2,
  smokeSeconds: 10,
  mutantRounds: 2,
  run: (options) => playRounds(options, 'state-writers', (at) => playRound(options, at)),
};
