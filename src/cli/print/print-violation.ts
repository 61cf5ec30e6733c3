import type { JsonObject, JsonValue } from '../../base/json-value.js';
import type { Page } from './page.js';

const text = (value: JsonValue | undefined): string | undefined =>
  typeof value === 'string' && value !== '' ? value : undefined;

/** One line that an editor can jump to, and below it what was expected and what puts it right. */
export function printViolation(page: Page, file: string, violation: JsonObject): void {
  const { severity, rule, pointer, line, column, message, expected, actual, closest, patch } = violation;
  const place = typeof line === 'number' ? `${file}:${line}:${typeof column === 'number' ? column : 1}` : file;
  const isError = severity !== 'warning';
  page.say(
    `${place}: ${isError ? 'error' : 'warning'} ${text(rule) ?? ''}: ${text(message) ?? ''}`,
    isError ? page.style.bad : page.style.bold,
  );
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
