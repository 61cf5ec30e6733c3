import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { diceOf } from './dice.mjs';

/**
 * Runs rounds one after the other, each with dice of its own, so that one of them can be run again alone. `play` gets
 * the round's folder and dice and says what came of it: how many faults it planned, how many took place, how
 * many calls were acknowledged, what is wrong.
 */
export async function playRounds({ rounds, seed, only, workDir, stopAtFirst, halt, log }, name, play) {
  const sum = { tried: 0, injected: 0, hit: 0, acked: 0, violations: [] };
  const alone = only === undefined ? undefined : Number(only);
  for (let round = alone ?? 0; round < (alone === undefined ? rounds : alone + 1); round += 1) {
    const folder = join(workDir, `round-${round}`);
    mkdirSync(folder, { recursive: true });
    const {
      tried = 1,
      injected = 1,
      hit = 1,
      acked = 0,
      violations,
      again,
    } = await play({ round, folder, dice: diceOf(seed, name, round) });
    sum.tried += tried;
    sum.injected += injected;
    sum.hit += hit;
    sum.acked += acked;
    for (const what of violations) {
      log(`round ${round}: ${what}`);
      sum.violations.push({ what, round, again });
    }
    if (violations.length === 0) rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    if ((violations.length > 0 && stopAtFirst) || halt.now) break;
  }
  return sum;
}
