// What WorkRail costs, side by side with what the disk costs in the same round. Milliseconds never fail it: they are the machine's as much as ours.
import { closeSync, openSync, readdirSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { loadavg } from 'node:os';
import { compare } from './compare.mjs';
import { writeDocs } from './frame/docs.mjs';
import { machineFacts } from './frame/machine.mjs';
import { printTable } from './frame/table.mjs';
import { openTally } from './frame/tally.mjs';

const usage = `npm run bench                                    every measurement
npm run bench -- --list                          what there is to measure
npm run bench -- --only NAME [--only NAME]       some of it
npm run bench -- --rounds N                      so many rounds of each that has more than one
npm run bench -- --minutes N                     no further round of anything once so much time has gone; 7 with --docs
npm run bench -- --json FILE                     the figures of every round as JSON
npm run bench -- --compare                       other systems at the same work, installed into a temporary folder
npm run bench -- --docs [--compare]              everything, written to docs/performance and into docs/performance.md
BENCH_FOLDER=FOLDER                              where the disk is that is to be measured`;

function refuse(why) {
  console.error(`bench: ${why}\n\n${usage}`);
  process.exit(2);
}

function readArguments() {
  try {
    return parseArgs({
      options: {
        help: { type: 'boolean', default: false },
        only: { type: 'string', multiple: true, default: [] },
        rounds: { type: 'string' },
        json: { type: 'string' },
        list: { type: 'boolean', default: false },
        compare: { type: 'boolean', default: false },
        docs: { type: 'boolean', default: false },
        minutes: { type: 'string' },
      },
    }).values;
  } catch (cause) {
    return refuse(cause.message);
  }
}

const asked = readArguments();
if (asked.help) {
  console.log(usage);
  process.exit(0);
}
for (const name of ['rounds', 'minutes'])
  if (asked[name] !== undefined && !(Number(asked[name]) > 0))
    refuse(`--${name} takes a number above nothing, not ${JSON.stringify(asked[name])}`);
if (asked.docs && (asked.only.length > 0 || asked.rounds !== undefined))
  refuse(
    'the page has the figures of all measurements in all their rounds: --docs goes with neither --only nor --rounds',
  );
if (asked.json !== undefined) {
  try {
    closeSync(openSync(asked.json, 'a'));
  } catch (cause) {
    refuse(`${asked.json} cannot be written: ${cause.message}`);
  }
}

const order = [
  'steps',
  'least-durable',
  'step-parts',
  'step-bytes',
  'step-syscalls',
  'command-steps',
  'growth',
  'growth-server',
  'growth-far',
  'looks',
  'open',
  'sessions',
  'many-runs',
  'wide-forks',
  'processes',
  'start',
  'listing',
  'compile',
  'export',
  'patch',
  'state-live',
  'state-patch',
  'state-history',
  'state-peers',
];

/** What threw, and so has not been measured. */
const failed = new Set();

async function loadMeasurements() {
  const files = readdirSync(new URL('measurements/', import.meta.url)).filter((file) => file.endsWith('.mjs'));
  const all = [];
  for (const file of files) all.push((await import(new URL(`measurements/${file}`, import.meta.url).href)).measurement);
  const place = ({ name }) => (order.includes(name) ? order.indexOf(name) : order.length);
  return all.toSorted((a, b) => place(a) - place(b));
}

async function runOnce(measurement, round, tally, prepared) {
  process.stderr.write(`round ${round + 1}: ${measurement.name}`);
  const start = performance.now();
  try {
    if (measurement.prepare !== undefined && !prepared.has(measurement))
      prepared.set(measurement, await measurement.prepare());
    const began = performance.now();
    await measurement.run({ round, figure: tally.figure, lacks: tally.lacks, made: prepared.get(measurement) });
    tally.spent((performance.now() - began) / 1000);
  } catch (cause) {
    tally.lacks(cause instanceof Error ? (cause.stack ?? cause.message) : String(cause));
    failed.add(measurement.name);
  }
  process.stderr.write(` (${((performance.now() - start) / 1000).toFixed(1)} s)\n`);
}

/** One round of everything, then the next: what disturbs the machine for a while disturbs one round of each, not all of one. */
async function measure(chosen, { rounds, minutes, keep }) {
  const begun = performance.now();
  const late = () => performance.now() - begun > minutes * 60_000;
  const tallies = new Map(chosen.map(({ name }) => [name, openTally()]));
  const prepared = new Map();
  const told = () => chosen.map(({ name, says }) => ({ name, says, ...tallies.get(name).result() }));
  try {
    for (let round = 0; round < Math.max(...chosen.map(rounds)); round += 1) {
      for (const measurement of chosen)
        if (rounds(measurement) > round && (round === 0 || !late()))
          await runOnce(measurement, round, tallies.get(measurement.name), prepared);
      keep(told());
    }
  } finally {
    for (const made of prepared.values()) made.remove();
  }
  return told();
}

const measurements = await loadMeasurements();
const unknown = asked.only.filter((name) => !measurements.some((one) => one.name === name));
if (unknown.length > 0) refuse(`there is no measurement ${unknown.join(', ')}`);
if (asked.list) {
  for (const { name, says, rounds, onlyAsked } of measurements)
    console.log(
      `${name.padEnd(16)} ${says}${rounds === 1 ? ' (one round)' : ''}${onlyAsked === true ? ' (only where it is named)' : ''}`,
    );
  process.exit(0);
}

const began = performance.now();
const machine = machineFacts();
const chosen =
  asked.compare && asked.only.length === 0 && !asked.docs
    ? []
    : measurements.filter(({ name, onlyAsked }) =>
        asked.only.length === 0 ? onlyAsked !== true : asked.only.includes(name),
      );
const report = {
  date: new Date().toISOString().slice(0, 16).replace('T', ' '),
  command: `npm run bench ${process.argv.length > 2 ? '-- ' : ''}${process.argv.slice(2).join(' ')}`.trim(),
  machine,
};
const keep = (told) => {
  if (asked.json !== undefined)
    writeFileSync(asked.json, `${JSON.stringify({ ...report, measurements: told }, undefined, 1)}\n`);
};
if (chosen.length > 0) {
  report.measurements = await measure(chosen, {
    rounds: ({ rounds }) => (rounds === 1 || asked.rounds === undefined ? rounds : Math.ceil(Number(asked.rounds))),
    minutes: Number(asked.minutes ?? (asked.docs ? 7 : Infinity)),
    keep,
  });
}
if (asked.compare) report.compared = await compare();
Object.assign(machine, { loadAfter: Number(loadavg()[0].toFixed(2)) });
report.seconds = Math.round((performance.now() - began) / 1000);
printTable(report);
if (asked.json !== undefined) writeFileSync(asked.json, `${JSON.stringify(report, undefined, 1)}\n`);
if (failed.size > 0) {
  console.error(
    `bench: ${[...failed].join(', ')} could not be measured${asked.docs ? '; the page stays as it is' : ''}`,
  );
  process.exit(1);
}
if (asked.docs) writeDocs(report);
