import type { Command } from './command.js';
import type { OptionTable } from './parse-options.js';
import type { Style } from './style.js';

/** Lines of the help: everything, or all about one command. */
export function helpText(table: readonly Command[], style: Style): readonly string[] {
  return [
    `${style.bold('workrail')} hands an LLM agent one step of a workflow at a time, and keeps what was done in a durable log.`,
    '',
    `${style.bold('Usage')}  workrail <command> [options]`,
    '',
    ...columns(table.map(({ name, summary }) => [name, summary])),
    '',
    'workrail help <command> says more of each, with examples.',
    'Without a command and without a terminal on stdin, workrail is workrail mcp.',
  ];
}

export function commandHelp({ name, summary, words, details, options, examples }: Command, style: Style): readonly string[] {
  const usage = ['workrail', name, words?.usage, Object.keys(options).length > 0 ? '[options]' : undefined].filter((part) => part !== undefined);
  const lines = [`${style.bold(`workrail ${name}`)}: ${summary}`, '', `${style.bold('Usage')}  ${usage.join(' ')}`];
  if (details.length > 0) lines.push('', ...details);
  if (Object.keys(options).length > 0) lines.push('', style.bold('Options'), ...columns(optionRows(options)));
  lines.push('', style.bold('Examples'), ...examples.map((example) => `  ${example}`));
  return lines;
}

const optionRows = (options: OptionTable): readonly (readonly [string, string])[] => {
  return Object.entries(options).map(([name, { value, short, says }]) => [`${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`, says]);
};

function columns(rows: readonly (readonly [string, string])[]): readonly string[] {
  const width = Math.max(...rows.map(([left]) => left.length));
  return rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`);
}
