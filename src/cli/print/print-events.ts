import wrapAnsi from 'wrap-ansi';
import type { EventTold } from '../../contract/event-told.js';
import { printable } from './printable.js';
import type { CliEnvironment } from './cli-environment.js';
import { localTime } from './time-words.js';

/** Room for the number and the time of day. */
const lead = 16;
const narrowest = 40;

/** Lines of the log: for a terminal with the day above what happened on it, else one line an event with tabs between its columns. */
export function eventPrinter({ stdoutIsTerminal, columns, style, env }: CliEnvironment): (told: EventTold) => string {
  if (!stdoutIsTerminal) return plainLine;
  const width = Math.max(narrowest, columns);
  let day = '';
  return ({ seq, at, kind, says, details, merged }) => {
    const [date = '', time = ''] = localTime(at, env['TZ']).split(' ');
    const lines: string[] = [];
    if (date !== day) lines.push(...(day === '' ? [] : ['']), style.dim(printable(date)));
    day = date;
    const paint =
      kind === 'step_blocked' || kind === 'lines_withdrawn'
        ? style.bad
        : kind === 'observation'
          ? style.dim
          : style.bold;
    const head = `${merged === true ? '(merged) ' : ''}${printable(says)}`;
    const number = `${String(seq).padStart(5)} ${printable(time)}`.padEnd(lead);
    wrapped(head, width).forEach((line, index) =>
      lines.push(`${index === 0 ? style.dim(number) : ' '.repeat(lead)}${paint(line)}`),
    );
    for (const detail of details)
      for (const line of wrapped(printable(detail), width)) lines.push(`${' '.repeat(lead)}${line}`);
    return `${lines.join('\n')}\n`;
  };
}

const wrapped = (text: string, width: number): readonly string[] =>
  wrapAnsi(text, width - lead, { hard: true }).split('\n');

function plainLine({ seq, at, kind, says, details, merged }: EventTold): string {
  return `${seq}\t${printable(at)}\t${kind}\t${merged === true ? '(merged) ' : ''}${[says, ...details].map((text) => printable(text)).join('; ')}\n`;
}
