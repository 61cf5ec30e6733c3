const number = (value) =>
  Number.isInteger(value)
    ? value.toLocaleString('en')
    : value >= 100
      ? value.toFixed(0)
      : value >= 10
        ? value.toFixed(1)
        : value.toFixed(3);

export function figureText({ unit, median, least, most, values }) {
  const spread = values.length > 1 && most !== least ? `  (${number(least)} to ${number(most)})` : '';
  return `${number(median)} ${unit}${spread}`.trim();
}

/** Every figure: the median of the rounds, their spread, and the median of the ratios to the floor of the same round. */
export function printTable({ machine, measurements = [], compared, seconds }) {
  const { node, platform, cpu, cores, memoryGiB, fileSystem, loadBefore, loadAfter } = machine;
  console.log(
    `Node ${node}, ${platform}, ${cores} × ${cpu}, ${memoryGiB} GiB, ${fileSystem}; load ${loadBefore} before, ${loadAfter} after; ${seconds} s`,
  );
  for (const { name, says, figures, missing = [], seconds: took } of measurements) {
    console.log(`\n${name}: ${says} (${took} s)`);
    for (const figure of figures.filter(({ chart }) => chart !== true)) {
      const ratio =
        figure.toFloor === undefined
          ? ''
          : `× ${figure.toFloor.toFixed(2)} of the floor (${figure.toFloorLeast.toFixed(2)} to ${figure.toFloorMost.toFixed(2)})`;
      console.log(`  ${figure.name.padEnd(52)} ${figureText(figure).padEnd(40)} ${ratio}`.trimEnd());
    }
    for (const why of missing) console.log(`  not measured: ${why}`);
  }
  if (compared === undefined) return;
  console.log(
    `\ncompare: the same durable step, ${compared.payload} bytes of payload, ${compared.steps} steps one after the other`,
  );
  for (const { name, says, synced, p50, toFloor, early, late, bytes, missing } of compared.systems) {
    if (missing === undefined)
      console.log(
        `  ${name.padEnd(22)} ${says.padEnd(62)} ${synced ? 'synced    ' : 'not synced'} ${number(p50).padStart(8)} ms  × ${toFloor.toFixed(1).padStart(6)}   first to last hundred ${number(early)} → ${number(late)} ms   ${number(bytes)} bytes a step`,
      );
    else console.log(`  ${name.padEnd(22)} not measured: ${missing}`);
  }
}
