import type { Command } from './command.js';
import type { OptionTable } from '../print/option-table.js';
import type { CliEnvironment } from '../print/cli-environment.js';

type Shown = Pick<CliEnvironment, 'style' | 'stdoutIsTerminal' | 'columns'>;

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
    'workrail hands an LLM agent one step of a workflow at a time, and keeps what was done in a durable log.',
    width,
  );
  return [
    (name ?? '').replace('workrail', style.bold('workrail')),
    ...about,
    '',
    `${style.bold('Usage')}  workrail <command> [options]`,
    '',
    ...columns(
      table.map(({ name: command, summary }) => [command, summary]),
      width,
    ),
    '',
    'workrail help <command> says more of each, with examples.',
    'Without a command and without a terminal on stdin, workrail is workrail mcp.',
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
  if (Object.keys(options).length > 0) lines.push('', style.bold('Options'), ...columns(optionRows(options), width));
  lines.push('', style.bold('Examples'), ...examples.map((example) => `  ${example}`));
  return lines;
}

const optionRows = (options: OptionTable): readonly (readonly [string, string])[] => {
  return Object.entries(options).map(([name, { value, short, says }]) => [
    `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`,
    says,
  ]);
};

/** What does not fit beside its left column goes on below its own beginning. */
function columns(rows: readonly (readonly [string, string])[], width: number): readonly string[] {
  const left = Math.max(...rows.map(([name]) => name.length));
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
