import { isJsonObject, type JsonValue } from '../../base/json-value.js';

const linesAtMost = 100;
const lineAtMost = 400;

/**
 * A list, or an object of plain values, as lines of their own: where a hole ends its line and stands alone on it, or
 * behind a colon. Undefined where the value reads better in the line.
 */
export function valueLines(value: JsonValue, before: string, after: string): string | undefined {
  const line = before.slice(before.lastIndexOf('\n') + 1);
  if (!/^[^\S\n]*(?:\n|$)/u.test(after) || /^\s*(?:[-*+>|#]|\d+[.)])/u.test(line)) return undefined;
  const alone = line.trim() === '';
  if (!alone && !/:\s*$/u.test(line)) return undefined;
  const lines = linesOf(value);
  if (lines === undefined || lines.length > linesAtMost || lines.some((one) => one.length > lineAtMost))
    return undefined;
  const indent = alone ? line : '';
  const listed = lines.map((one, index) => `${index === 0 && alone ? '' : indent}- ${one}`).join('\n');
  return alone ? listed : `\n${listed}`;
}

function linesOf(value: JsonValue): readonly string[] | undefined {
  if (Array.isArray(value)) return value.length === 0 ? undefined : inOneForm(value as readonly JsonValue[]);
  if (!isJsonObject(value)) return undefined;
  const fields = Object.entries(value);
  return fields.length === 0
    ? undefined
    : fields.map(([name, one]) => `${name}: ${inLine(one) ?? JSON.stringify(one)}`);
}

/** All elements in words, or all as JSON: in two forms they would be taken for different things. */
function inOneForm(elements: readonly JsonValue[]): readonly string[] {
  const lines = elements.flatMap((element) => inLine(element) ?? []);
  return lines.length === elements.length ? lines : elements.map((element) => JSON.stringify(element));
}

/** Undefined for what breaks lines, or could be read as more than one value. */
function inLine(value: JsonValue): string | undefined {
  if (Array.isArray(value))
    return joined(
      (value as readonly JsonValue[]).map((one) => plain(one, ',')),
      ', ',
    );
  if (!isJsonObject(value)) return plain(value, '\n');
  const fields = Object.entries(value).map(([name, one]) => [name, plain(one, ';')] as const);
  return joined(
    fields.map(([name, one]) => one && `${name}: ${one}`),
    '; ',
  );
}

const joined = (parts: readonly (string | undefined)[], separator: string): string | undefined =>
  parts.length === 0 || parts.includes(undefined) ? undefined : parts.join(separator);

function plain(value: JsonValue, separator: string): string | undefined {
  if (typeof value === 'object') return value === null ? 'null' : undefined;
  const text = String(value);
  return text === '' || /[\n\r]/u.test(text) || text.includes(separator) ? undefined : text;
}
