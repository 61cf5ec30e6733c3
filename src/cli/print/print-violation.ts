import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { displayWidth } from './display-width.js';
import { printable } from './printable.js';
import type { Page } from './page.js';

const text = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** One line that an editor can jump to, and below it what was expected and what puts it right. */
export function printViolation(page: Page, file: string, violation: JsonObject): void {
  const { severity, rule, pointer, line, column, message, expected, actual, closest, patch, source } = violation;
  const place = typeof line === 'number' ? `${file}:${line}:${typeof column === 'number' ? column : 1}` : file;
  const isError = severity !== 'warning';
  page.say(
    `${place}: ${isError ? 'error' : 'warning'} ${text(rule) ?? ''}: ${text(message) ?? ''}`,
    isError ? page.style.bad : page.style.bold,
  );
  if (typeof line === 'number' && typeof source === 'string')
    for (const shown of lineWithCaret(source, line, typeof column === 'number' ? column : 1)) page.shell('', shown);
  if (text(pointer) !== undefined) page.item('  at ', text(pointer) ?? '');
  const said = text(message) ?? '';
  // Once it is known what was meant, all that could have been meant says nothing more.
  const beside = (
    [
      ['expected', text(closest) === undefined ? expected : undefined],
      ['found', actual],
      ['closest', closest],
    ] as const
  ).flatMap(([name, value]) => {
    const shown = text(value);
    return shown === undefined || said.includes(shown) ? [] : [`${name} ${shown}`];
  });
  if (beside.length > 0) page.item('  ', beside.join('; '));
  if (Array.isArray(patch))
    for (const operation of patch as readonly JsonValue[]) page.item('  patch ', JSON.stringify(operation));
}

/** Of a long line as much as stands around the place. */
const shownBefore = 60;
const shownOfLine = 100;

/** A line of a file with its number, and below it a caret at a column. */
function lineWithCaret(source: string, line: number, column: number): readonly string[] {
  const at = Math.min(column - 1, source.length);
  const from = source.length <= shownOfLine ? 0 : Math.max(0, at - shownBefore);
  const shown = (piece: string): string => printable(piece.replaceAll('\t', '  '));
  const before = `${from > 0 ? '…' : ''}${shown(source.slice(from, at))}`;
  const after = `${shown(source.slice(at, from + shownOfLine))}${source.length > from + shownOfLine ? '…' : ''}`;
  const margin = String(line).padStart(5);
  return [`${margin} | ${before}${after}`, `${' '.repeat(margin.length)} | ${' '.repeat(displayWidth(before))}^`];
}
