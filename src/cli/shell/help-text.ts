import { commandLine } from '../../base/sentence.js';
import { own } from '../../base/own.js';
import { type Command, commandGroups } from './command.js';
import type { OptionTable } from '../print/option-table.js';
import { atDeskOptions } from './shared-options.js';
import type { CliEnvironment } from '../print/cli-environment.js';

type Shown = Pick<CliEnvironment, 'style' | 'stdoutIsTerminal' | 'columns' | 'program'>;

const narrowest = 40;
/** Where nobody says how wide it is. */
const usual = 80;
const widthOf = ({ stdoutIsTerminal, columns }: Shown): number =>
  Math.max(narrowest, stdoutIsTerminal ? columns : usual);

/** Lines of the help, as wide as the terminal: everything, or all about one command. */
export function helpText(table: readonly Command[], shown: Shown): readonly string[] {
  const { style } = shown;
  const width = widthOf(shown);
  const [name, ...about] = wrapped(
    'workrail gives an LLM agent one step of a workflow at a time, and records the results in a durable log.',
    width,
  );
  return [
    (name ?? '').replace('workrail', style.bold('workrail')),
    ...about,
    '',
    `${style.bold('Usage')}  workrail <command> [options]`,
    ...commandRows(table, shown),
    '',
    'workrail help <command> explains a command, with examples.',
    'workrail help options lists the common options.',
    'Without a command, workrail runs workrail mcp if stdin is not a terminal.',
    ...howToCall(shown),
  ];
}

/** Where a shell does not find us by name: what to type in its place. */
function howToCall({ program }: Shown): readonly string[] {
  const called = commandLine(program(), []);
  return called === 'workrail' ? [] : ['', 'Your shell has no program named workrail. Run it as:', `  ${called}`];
}

/** An example as it can be pasted. */
const pasted = (example: string, { program }: Shown): string =>
  example.replaceAll(/(^|\| )workrail(?= |$)/gu, (_, before: string) => `${before}${commandLine(program(), [])}`);

/** Groups have one left column, so that the eye runs down all of them. */
function commandRows(table: readonly Command[], shown: Shown): readonly string[] {
  const left = Math.max(...table.map(({ name }) => name.length));
  return Object.entries(commandGroups).flatMap(([key, title]) => {
    const rows = table.filter(({ group }) => group === key).map(({ name, summary }) => [name, summary] as const);
    return rows.length === 0 ? [] : ['', shown.style.bold(title), ...columns(rows, widthOf(shown), left)];
  });
}

/** What is said once of the options that nearly every command takes. */
export function optionsHelp(shown: Shown): readonly string[] {
  return [
    `${shown.style.bold('Common options')}, for every command whose help names them`,
    '',
    ...columns(optionRows(atDeskOptions), widthOf(shown)),
    '',
    shown.style.bold('Examples'),
    ...['workrail sessions --data-dir ~/team --json', 'workrail list --workspace ../shop'].map(
      (example) => `  ${pasted(example, shown)}`,
    ),
  ];
}

export function commandHelp(
  { name, summary, words, details, options, examples }: Command,
  shown: Shown,
): readonly string[] {
  const { style } = shown;
  const width = widthOf(shown);
  const usage = ['workrail', name, words?.usage, Object.keys(options).length > 0 ? '[options]' : undefined].filter(
    (part) => part !== undefined,
  );
  const lines = [`${style.bold(`workrail ${name}`)}: ${summary}`, '', `${style.bold('Usage')}  ${usage.join(' ')}`];
  if (details.length > 0) lines.push('', ...details.flatMap((paragraph) => wrapped(paragraph, width)));
  lines.push(...toldOptions(options, shown));
  lines.push('', style.bold('Examples'), ...examples.map((example) => `  ${pasted(example, shown)}`));
  return lines;
}

/** The common ones in one line, where there are several: what is said of each is the same everywhere. */
function toldOptions(options: OptionTable, shown: Shown): readonly string[] {
  const all = Object.entries(options);
  const common = all.filter(([name, option]) => own(atDeskOptions, name) === option);
  const folded = common.length > 1 ? common : [];
  const rows = optionRows(Object.fromEntries(all.filter((entry) => !folded.includes(entry))));
  const told = rows.length === 0 ? [] : ['', shown.style.bold('Options'), ...columns(rows, widthOf(shown))];
  if (folded.length === 0) return told;
  const names = folded.map(([name]) => `--${name}`).join(', ');
  return [
    ...told,
    '',
    shown.style.bold('Common options'),
    ...wrapped(`${names} (workrail help options)`, widthOf(shown) - 2).map((line) => `  ${line}`),
  ];
}

const optionRows = (options: OptionTable): readonly (readonly [string, string])[] => {
  return Object.entries(options).map(([name, { value, short, says }]) => [
    `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`,
    says,
  ]);
};

/** What does not fit beside its left column goes on below its own beginning. */
function columns(
  rows: readonly (readonly [string, string])[],
  width: number,
  left: number = Math.max(...rows.map(([name]) => name.length)),
): readonly string[] {
  return rows.flatMap(([name, says]) =>
    wrapped(says, width - left - 4).map((line, index) => `  ${(index === 0 ? name : '').padEnd(left)}  ${line}`),
  );
}

/** Our own words only: no colours, nothing wide. */
function wrapped(text: string, width: number): readonly string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}
