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
  if (Array.isArray(value)) return value.length === 0 ? undefined : (value as readonly JsonValue[]).map(inLine);
  if (!isJsonObject(value)) return undefined;
  const fields = Object.entries(value);
  return fields.length === 0 ? undefined : fields.map(([name, one]) => `${name}: ${inLine(one)}`);
}

/** What breaks lines, or could be read as more than one value, stays JSON. */
function inLine(value: JsonValue): string {
  if (typeof value === 'string') return value === '' || /[\n\r]/u.test(value) ? JSON.stringify(value) : value;
  if (typeof value !== 'object' || value === null) return String(value);
  const parts = Array.isArray(value)
    ? (value as readonly JsonValue[]).map(plain)
    : Object.entries(value).map(([name, one]) => (plain(one) === undefined ? undefined : `${name}: ${plain(one)}`));
  if (parts.length === 0 || parts.includes(undefined)) return JSON.stringify(value);
  return parts.join(Array.isArray(value) ? ', ' : '; ');
}

/** Undefined for what would not be read as one value among others. */
function plain(value: JsonValue): string | undefined {
  if (typeof value === 'string') return value === '' || /[\n\r;,]/u.test(value) ? undefined : value;
  return typeof value === 'object' ? undefined : String(value);
}
