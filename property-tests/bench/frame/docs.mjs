import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { growthPicture, stepPicture } from './pictures.mjs';
import { reach } from './reach.mjs';
import { figureText } from './table.mjs';

const inside = (path) => fileURLToPath(new URL(`../../../docs/${path}`, import.meta.url));

/** Puts the figures beside the page, and the tables and pictures made of them into it. What is written by hand there stays. */
export function writeDocs(report) {
  mkdirSync(inside('performance'), { recursive: true });
  const keep = (name, value) => writeFileSync(inside(`performance/${name}`), value);
  const { compared, ...own } = report;
  const pieces = {};
  if (own.measurements !== undefined) {
    keep('bench.json', `${JSON.stringify(own, undefined, 1)}\n`);
    const figure = (measurement, name) =>
      own.measurements.find((one) => one.name === measurement)?.figures.find((one) => one.name === name);
    keep('step.svg', stepPicture(figure, own.measurements));
    keep('growth.svg', growthPicture(own.measurements));
    Object.assign(pieces, {
      run: runText(own),
      reach: reachTable(figure),
      figures: own.measurements.map(figureTable).join('\n'),
    });
  }
  if (compared !== undefined) {
    keep(
      'compare.json',
      `${JSON.stringify({ date: report.date, command: report.command, machine: report.machine, ...compared }, undefined, 1)}\n`,
    );
    pieces.compare = compareTable(report, compared);
  }
  const page = inside('performance.md');
  if (!existsSync(page)) return;
  let text = readFileSync(page, 'utf8');
  for (const [name, piece] of Object.entries(pieces)) text = filled(text, name, piece);
  writeFileSync(page, text);
}

function filled(text, name, piece) {
  const [from, to] = [`<!-- bench: ${name} -->`, `<!-- end: ${name} -->`];
  const [start, end] = [text.indexOf(from), text.indexOf(to)];
  if (start < 0 || end < start) throw new Error(`docs/performance.md has no place for ${name}: ${from} … ${to}`);
  return `${text.slice(0, start + from.length)}\n${piece.trim()}\n${text.slice(end)}`;
}

function runText({ date, command, machine, seconds }) {
  const { node, platform, cpu, cores, memoryGiB, fileSystem, loadBefore, loadAfter } = machine;
  return `Measured ${date} UTC with \`${command}\` in ${seconds} s: Node ${node}, ${platform}, ${cores} cores of ${cpu}, ${memoryGiB} GiB, ${fileSystem}. Load of the machine: ${loadBefore} before, ${loadAfter} at the end.`;
}

function reachTable(figure) {
  const rows = reach.map((one) => {
    const measured = one.of(figure);
    return `| ${one.what} | ${one.reach} | ${measured === undefined ? 'not measured' : measured.text.trim()} | ${measured === undefined ? '' : measured.holds ? 'yes' : '**no**'} |`;
  });
  return ['| what | to reach | measured (spread of the rounds) | reached |', '|---|---|---|---|', ...rows].join('\n');
}

function figureTable({ name, says, figures, missing = [] }) {
  const rows = figures.map(
    (figure) =>
      `| ${figure.name} | ${figureText(figure).replace(/\s{2,}/gu, ' ')} | ${figure.toFloor === undefined ? '' : figure.toFloor.toFixed(2)} |`,
  );
  const lacks = missing.map((why) => `\nNot measured: ${why.split('\n')[0]}\n`);
  return `### ${name}\n\n${says[0].toUpperCase()}${says.slice(1)}.\n\n| figure | median (spread) | × floor |\n|---|---|---|\n${rows.join('\n')}\n${lacks.join('')}`;
}

function compareTable({ date, machine }, { payload, steps, systems }) {
  const rows = systems.map(({ name, says, synced, p50, toFloor, early, late, bytes, missing }) =>
    missing === undefined
      ? `| ${name} | ${says} | ${synced ? 'yes' : 'no'} | ${p50.toFixed(2)} | ${toFloor.toFixed(1)} | ${early.toFixed(2)} → ${late.toFixed(2)} | ${Math.round(bytes).toLocaleString('en')} |`
      : `| ${name} | ${says} | | not measured: ${missing} | | | |`,
  );
  return [
    `Measured ${date} UTC, Node ${machine.node}: ${steps.toLocaleString('en')} steps one after the other with ${payload} bytes each; the floor is appended and synced between the steps of each.`,
    '',
    '| system | what a step is | synced each step | p50 ms | × floor | first hundred → last hundred, ms | bytes a step |',
    '|---|---|---|---|---|---|---|',
    ...rows,
  ].join('\n');
}
