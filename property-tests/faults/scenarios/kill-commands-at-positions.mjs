import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { startAgent } from '../frame/agent.mjs';
import { diceOf } from '../frame/dice.mjs';
import { openTracker } from '../frame/issue-tracker.mjs';
import { judgeRuns, openRun } from '../frame/runner-player.mjs';
import { makeRunnerWorld } from '../frame/runner-world.mjs';
import { compileShim, openShim } from '../frame/shim.mjs';
import { changing } from '../frame/trial.mjs';

const ops = `${changing},connect,send,receive`;

/** A request leaves only once what was written of it lasts. */
function sentUnsynced(calls) {
  const dirty = new Set();
  for (const { op, path } of calls) {
    if (op === 'send' && dirty.size > 0) return ['a request left before the record of it was synced'];
    if (!/\/sessions\/.*\/segments\//u.test(path)) continue;
    if (op === 'write') dirty.add(path);
    if (op === 'sync') dirty.delete(path);
  }
  return [];
}

/** One run of all its steps, with one kill planned, and a second server that goes on with it. */
async function tryOnce({ build, sound, library }, folder, plan) {
  mkdirSync(folder, { recursive: true });
  const tracker = await openTracker();
  const world = await makeRunnerWorld(sound, join(folder, 'world'), tracker.origin);
  const shim = openShim(library, folder, [world.dataDir, '/inet']);
  const program = { ...sound, program: build.program };
  const agent = await startAgent(program, world, { env: shim.env });
  const run = openRun({ name: 'POS-1', word: `at${plan.at}`, tracker, rewinds: 0 });
  shim.arm({ ops, what: 'kill', ...plan });
  const lived = await run.play([agent]);
  const calls = shim.calls();
  await agent.close().catch(() => undefined);
  if (!lived) {
    const next = await startAgent(program, world);
    if (!(await run.play([next]))) run.state.violations.push('the second server went away');
    await next.close();
  }
  const violations = [...judgeRuns({ world, tracker, runs: [run] }), ...sentUnsynced(calls)];
  await tracker.close();
  return { calls, hit: calls.some((call) => call.hit), acked: run.state.answered, violations };
}

/** What the network does in one piece or in two is counted as it comes: there may be some more calls or less. */
async function tryUntilHit(at, folder, n) {
  for (let before = 0; ; before += 1) {
    const tried = await tryOnce(at, folder, { at: n - 3 * before });
    if (tried.hit || tried.violations.length > 0 || before === 3) return tried;
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

export const scenario = {
  name: 'kill-commands-at-positions',
  says: 'kill -9 before the n-th write, sync, create, mkdir, rename, link, unlink, connect, send and receive of a run with commands; the next process goes on to its end, and nothing that may be sent once is sent twice; no request leaves before the record of it is synced',
  needs: ['linux', 'gcc'],
  mutants: ['intent-unwritten', 'no-file-sync'],
  rounds: Number.MAX_SAFE_INTEGER,
  smoke: 5,
  smokeSeconds: 20,
  mutantRounds: 40,
  run: async (options) => {
    const { rounds, seed, only, workDir, sound, stopAtFirst, log, halt } = options;
    const at = { ...options, library: compileShim(workDir) };
    const sum = { tried: 0, injected: 0, hit: 0, acked: 0, violations: [] };
    const undisturbed = await tryOnce(stopAtFirst ? at : { ...at, build: sound }, join(workDir, 'count'), { at: 0 });
    for (const what of undisturbed.violations) sum.violations.push({ what: `undisturbed: ${what}` });
    if (sum.violations.length > 0) return { ...sum, tried: 1, acked: undisturbed.acked };
    const all = undisturbed.calls.map(({ n }) => n);
    // A mutant is looked for where it shows: what was sent is not known yet.
    const after = undisturbed.calls.filter(({ op, n }) => stopAtFirst && op === 'receive' && n > 1).map(({ n }) => n);
    const dice = diceOf(seed, 'kill-commands-at-positions');
    const chosen = only === undefined ? dice.shuffled(dice.some(stopAtFirst ? after : all, rounds)) : [Number(only)];
    log(`${all.length} positions, ${chosen.length} of them tried`);
    for (const n of chosen) {
      const folder = join(workDir, `round-${n}`);
      const { hit, acked, violations } = await tryUntilHit(at, folder, n);
      sum.tried += 1;
      sum.injected += 1;
      if (hit) sum.hit += 1;
      sum.acked += acked;
      const { op, path } = undisturbed.calls[n - 1] ?? {};
      for (const what of violations) {
        sum.violations.push({
          what: `before call ${n} (${op} ${path?.split('/').slice(-2).join('/')}): ${what}`,
          round: n,
        });
        log(sum.violations.at(-1).what);
      }
      if (violations.length === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
      else if (stopAtFirst) break;
      if (halt.now) break;
    }
    return sum;
  },
};
