import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { diceOf } from './dice.mjs';
import { openOracle } from './oracle.mjs';
import { compileShim } from './shim.mjs';
import { subjects } from './subjects.mjs';
import { openTemplates } from './templates.mjs';
import { changing, tryOnce } from './trial.mjs';

/**
 * Tries a list of faults at every position of every subject: first each subject undisturbed, to count its calls; then
 * each of `faults` at each of those calls that it can befall. With fewer rounds than that, the dice choose which.
 * A position is named `subject.fault.call`, and is tried alone by that name; `subject` alone is all of its positions. A mutant is judged by one subject.
 */
export async function tryPositions(options, name, faults, { ops = changing, mutantSubject } = {}) {
  const { rounds, seed, only, workDir, sound, stopAtFirst, log } = options;
  const at = {
    ...options,
    library: compileShim(workDir),
    templates: openTemplates(sound, workDir),
    oracle: openOracle(options.build),
  };
  const sum = { tried: 0, injected: 0, hit: 0, acked: 0, violations: [] };
  const dice = diceOf(seed, name);
  const trials = await listPositions(at, {
    dice,
    rounds,
    only,
    faults,
    ops,
    subject: stopAtFirst ? mutantSubject : undefined,
  });
  // In no order, so that a run that is ended early has tried something of everything.
  const chosen =
    only === undefined
      ? dice.shuffled(dice.some(trials, rounds))
      : trials.filter(({ round }) => `${round}.`.startsWith(`${only}.`));
  log(`${trials.length} positions, ${chosen.length} of them tried`);
  for (const { subject, plan, round } of chosen) {
    const folder = join(workDir, `round-${round}`);
    const { hit, violations } = await tryUntilHit(at, subject, folder, plan);
    sum.tried += 1;
    sum.injected += 1;
    if (hit) sum.hit += 1;
    // Whatever the fault did, asked again without it everything was acknowledged.
    if (violations.length === 0) sum.acked += 1;
    for (const what of violations) {
      sum.violations.push({
        what: `${subject.name}, ${plan.what} ${plan.error ?? ''} at ${plan.ops === ops ? 'call' : plan.ops} ${plan.at}: ${what}`,
        round,
      });
      log(`${round} ${sum.violations.at(-1).what}`);
    }
    if (violations.length === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    else if (stopAtFirst) break;
    if (options.halt.now) break;
  }
  at.oracle.close();
  return sum;
}

async function listPositions(at, { dice, rounds, only, faults, ops, subject: alone }) {
  const numbered = subjects.map((subject, index) => ({ subject, index }));
  const meant =
    alone !== undefined
      ? numbered.filter(({ subject }) => subject.name === alone)
      : only === undefined
        ? dice.some(numbered, Math.max(1, Math.ceil(rounds / 3)))
        : numbered.filter(({ index }) => index === Number(only.split('.')[0]));
  const trials = [];
  const oracle = openOracle(at.sound);
  for (const { subject, index } of meant) {
    const undisturbed = await tryOnce({ ...at, build: at.sound, oracle }, subject, join(at.workDir, `count-${index}`), {
      ops,
      at: 0,
      what: 'error',
    });
    if (undisturbed.violations.length > 0 || !undisturbed.acknowledged)
      throw new Error(
        `${subject.name} does not work without a fault: ${undisturbed.violations.join('; ')} ${undisturbed.said ?? ''}`,
      );
    for (const [kind, fault] of faults.entries()) {
      const befalls = new Set((fault.ops ?? ops).split(','));
      const count = undisturbed.calls.filter(({ op }) => befalls.has(op)).length;
      for (let n = 1; n <= count; n += 1)
        trials.push({ subject, plan: { ops, ...fault, at: n }, round: `${index}.${kind}.${n}` });
    }
  }
  oracle.close();
  return trials;
}

/** The last calls of a server are made by a timer or at its end, and there may be one more or less: then once more. */
async function tryUntilHit(at, subject, folder, plan) {
  for (let tries = 0; ; tries += 1) {
    const outcome = await tryOnce(at, subject, folder, plan);
    if (outcome.hit || outcome.violations.length > 0 || tries === 4) return outcome;
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
