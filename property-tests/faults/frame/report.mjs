/** Whether a scenario held: nothing wrong on the sound build, each mutant seen, and every fault that was planned took place. */
function judge({ skipped, broken, survivors, sound }) {
  if (skipped !== undefined) return 'skipped';
  if (broken !== undefined || survivors.length > 0) return 'FAILED';
  if (sound === undefined) return 'mutants';
  if (sound.violations.length > 0 || sound.tried === 0 || sound.acked === 0 || sound.hit < sound.injected)
    return 'FAILED';
  return 'held';
}

export function printScenario(result, seed) {
  const { scenario, skipped, broken, survivors, caught, sound } = result;
  const verdict = judge(result);
  if (skipped !== undefined) {
    console.log(`${verdict.padEnd(8)} ${scenario.name}: ${skipped}`);
    return;
  }
  const counts =
    sound === undefined
      ? ''
      : `${sound.tried} tried, ${sound.injected} injected, ${sound.hit} hit, ${sound.acked} calls acknowledged, ${sound.violations.length} violations, seed ${seed}, ${sound.seconds.toFixed(0)} s`;
  const seen =
    caught.length + survivors.length === 0
      ? ''
      : `; mutants caught ${caught.length} of ${caught.length + survivors.length}`;
  console.log(`${verdict.padEnd(8)} ${scenario.name}: ${counts}${seen}`);
  if (broken !== undefined) console.log(`    ${broken}`);
  for (const mutant of survivors)
    console.log(`    the mutant ${mutant} survived: this scenario cannot see what it is there to see`);
  if (sound !== undefined && sound.hit < sound.injected)
    console.log(`    ${sound.injected - sound.hit} faults were planned and did not take place`);
  if (sound?.tried === 0) console.log('    nothing was tried');
  if (sound?.acked === 0) console.log('    no call was acknowledged, so nothing could be lost');
  for (const { what, round, again } of (sound?.violations ?? []).slice(0, 8))
    console.log(
      `    ${what.slice(0, 500)}\n      again: npm run faults -- --only ${scenario.name} --seed ${seed}${round === undefined ? '' : ` --round ${round}`}${again === undefined ? '' : ` ${again}`}`,
    );
}

/** The table of the whole run; returns how many scenarios failed. */
export function printReport(results, seed) {
  const rows = [
    ['scenario', 'tried', 'injected', 'hit', 'acknowledged', 'violations', 'mutants caught', 'seconds', ''],
  ];
  for (const result of results) {
    const { scenario, sound, caught = [], survivors = [] } = result;
    const number = (field) => (sound === undefined ? '–' : String(sound[field]));
    const mutants =
      caught.length + survivors.length === 0 ? '–' : `${caught.length} of ${caught.length + survivors.length}`;
    rows.push([
      scenario.name,
      number('tried'),
      number('injected'),
      number('hit'),
      number('acked'),
      sound === undefined ? '–' : String(sound.violations.length),
      mutants,
      sound === undefined ? '–' : sound.seconds.toFixed(0),
      judge(result),
    ]);
  }
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)));
  console.log('');
  for (const [index, row] of rows.entries()) {
    console.log(`| ${row.map((cell, column) => cell.padEnd(widths[column])).join(' | ')} |`);
    if (index === 0) console.log(`|${widths.map((width) => '-'.repeat(width + 2)).join('|')}|`);
  }
  const verdicts = results.map(judge);
  const count = (verdict) => verdicts.filter((each) => each === verdict).length;
  console.log(
    `\nseed ${seed}: ${count('held') + count('mutants')} held, ${count('FAILED')} failed, ${count('skipped')} skipped`,
  );
  return count('FAILED');
}
