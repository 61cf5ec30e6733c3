import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { own } from '../base/own.js';
import { apart, code, type Inline, type Line, quiet, text } from './page.js';
import { spokenName } from './spoken-name.js';

const shortList = 80;
const nesting = 2;

/** Any value as lines that a person can read; what is nested too deep stays JSON. */
export function tellValue(value: JsonValue): readonly Line[] {
  if (!Array.isArray(value)) return [tellOne(value, 0)];
  const items = (value as readonly JsonValue[]).map((item) => tellOne(item, 0));
  const length = items.flat().reduce((sum, piece) => sum + ('text' in piece ? piece.text.length + 2 : 0), 0);
  if (items.length === 0) return [[quiet('none')]];
  return length <= shortList && items.every((line) => line.length === 1) ? [separated(items, text(', '))] : items;
}

export function separated(lines: readonly Line[], by: Inline): Line {
  return lines
    .filter((line) => line.length > 0)
    .flatMap((line, index): Inline[] => (index === 0 ? [...line] : [by, ...line]));
}

function tellOne(value: JsonValue, depth: number): Line {
  if (typeof value === 'string') return value.trim() === '' ? [quiet('empty')] : prose(value.trim());
  if (value === null) return [quiet('none')];
  if (typeof value !== 'object') return [text(String(value))];
  if (isJsonObject(value)) return tellObject(value, depth);
  return depth >= nesting || value.length === 0
    ? [code(JSON.stringify(value))]
    : separated(
        value.map((item: JsonValue) => tellOne(item, depth + 1)),
        text(', '),
      );
}

function tellObject(value: JsonObject, depth: number): Line {
  const place = placeOf(value);
  if (place !== undefined) return [code(place)];
  if (depth >= nesting || Object.keys(value).length === 0) return [code(JSON.stringify(value))];
  const named = namingField(value);
  const head = named === undefined ? [] : [tellOne(own(value, named) ?? null, depth + 1)];
  const others = Object.entries(value).filter(([name]) => name !== named);
  return separated(
    [
      ...head,
      ...others.map(([name, item]) => [quiet(`${spokenName(name).toLowerCase()}: `), ...tellOne(item, depth + 1)]),
    ],
    depth === 0 ? apart : text(', '),
  );
}

const namingFields = ['title', 'name', 'path', 'claim', 'gate', 'signal', 'risk', 'summary', 'text'];

/** The field that an entry is best known by. */
export const namingField = (value: JsonObject): string | undefined =>
  namingFields.find((field) => typeof value[field] === 'string' && value[field].trim() !== '');

/** Words in which `code` is marked as people mark it. */
export const prose = (words: string): Line =>
  words
    .split(/(`[^`\n]+`)/u)
    .filter((piece) => piece !== '')
    .map((piece) =>
      /^`[^`]+`$/u.test(piece) && piece.slice(1, -1).trim() !== '' ? code(piece.slice(1, -1)) : text(piece),
    );

/** Where something is in a file: `src/export.ts:41`, as editors understand it. */
export function placeOf(value: JsonValue | undefined): string | undefined {
  if (value === undefined || !isJsonObject(value)) return undefined;
  const { file, line, endLine, ...others } = value;
  if (typeof file !== 'string' || Object.keys(others).length > 0) return undefined;
  const lines =
    typeof line === 'number' ? `:${line}${typeof endLine === 'number' && endLine !== line ? `-${endLine}` : ''}` : '';
  return `${file}${lines}`;
}
