import { closestName, knownInstead } from '../../base/closest-name.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import type { SourcePath } from '../source/source-path.js';
import { finding, type Finding, warning } from '../source/finding.js';

/** An object of a source file, with where it stands and whom to tell what is wrong with it. */
export interface Part {
  readonly value: JsonObject;
  readonly path: SourcePath;
  readonly say: (finding: Finding) => void;
}

export function has({ value }: Part, key: string): boolean {
  return Object.hasOwn(value, key) && value[key] !== null;
}

export function at(part: Part, key: string): JsonValue | undefined {
  return has(part, key) ? part.value[key] : undefined;
}

function wrong(
  { say }: Pick<Part, 'say'>,
  path: SourcePath,
  value: JsonValue,
  expected: string,
  instead?: string,
): void {
  const actual = Array.isArray(value)
    ? 'a list'
    : isJsonObject(value)
      ? 'an object'
      : JSON.stringify(value).slice(0, 60);
  const message = `expected ${expected}, got ${actual}${instead === undefined ? '' : `; ${instead}`}`;
  say((instead === undefined ? finding : warning)(path, 'type', message, { expected, actual }));
}

/** Text, or what can be told as text all the same: lines in a list, a number, in the end the JSON that stands there. */
export function textAt(part: Part, key: string): string | undefined {
  const value = at(part, key);
  return value === undefined || saysNothing(value) ? undefined : asText(part, [...part.path, key], value);
}

const saysNothing = (value: JsonValue): boolean =>
  value === null || (isJsonObject(value) && Object.keys(value).length === 0);

function asText(part: Part, path: SourcePath, value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value) && value.every((line) => typeof line === 'string')) return value.join('\n');
  wrong(part, path, value, 'text', 'it is used as it is');
  return isJsonObject(value) ? (fieldsOf(value)?.join('; ') ?? JSON.stringify(value)) : JSON.stringify(value);
}

/** An object of texts as one text for each, with its name where there are several; undefined where it holds more than texts. */
function fieldsOf(value: JsonObject): readonly string[] | undefined {
  const said = Object.entries(value).map(([name, item]): readonly [string, string | undefined] => [
    name,
    Array.isArray(item) && item.every((one) => typeof one === 'string')
      ? item.join(', ')
      : typeof item === 'object'
        ? undefined
        : String(item),
  ]);
  if (said.some(([, text]) => text === undefined)) return undefined;
  return said.map(([name, text]) => (said.length === 1 ? text! : `${name}: ${text!}`));
}

/** What a file or a step is called, by either of the words for it; in one line, as it stands in headings and in sentences. */
export function titleAt(
  part: Part,
  ...[first, second]: readonly ['title', 'name'] | readonly ['name', 'title']
): string | undefined {
  return [first, second]
    .map((key) => textAt(part, key)?.replaceAll(/\s+/gu, ' ').trim())
    .find((title) => title !== undefined && title !== '');
}

/** A list of texts; one text is a list of one. */
export function textsAt(part: Part, key: string): readonly string[] {
  const value = at(part, key);
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    const several = isJsonObject(value) ? fieldsOf(value) : undefined;
    if (several !== undefined && several.length > 1) {
      wrong(part, [...part.path, key], value, 'a list of texts', 'each of its fields is taken for one');
      return several;
    }
    const one = textAt(part, key);
    return one === undefined || one.trim() === '' ? [] : [one];
  }
  return (value as readonly JsonValue[]).flatMap((item, index) =>
    saysNothing(item) ? [] : [asText(part, [...part.path, key, index], item)],
  );
}

/** What an author may write in place of the object that a field is meant to hold. */
export interface Shorthand {
  /** The key that a text alone stands for, and the one that a list does. */
  readonly text?: string;
  readonly list?: string;
  /** The key whose values an object of objects has for its own keys. */
  readonly key?: string;
  /** Without it there is nothing to run, so that what is no object is an error. */
  readonly needed?: boolean;
}

export function partAt(part: Part, key: string, shorthand: Shorthand = {}): Part | undefined {
  const value = at(part, key);
  return value === undefined ? undefined : partOfValue(part, [...part.path, key], value, shorthand);
}

function partOfValue(
  { say }: Part,
  path: SourcePath,
  value: JsonValue,
  { text, list, needed = false }: Shorthand,
): Part | undefined {
  if (isJsonObject(value)) return { value, path, say };
  const isEmpty = (typeof value === 'string' && value.trim() === '') || (Array.isArray(value) && value.length === 0);
  if (value === null || (isEmpty && !needed)) return undefined;
  const meant = isEmpty ? undefined : typeof value === 'string' ? text : Array.isArray(value) ? list : undefined;
  if (meant !== undefined) return { value: { [meant]: value }, path, say };
  wrong({ say }, path, value, 'an object', needed ? undefined : 'it is ignored');
  return undefined;
}

/** A list of objects; one object is a list of one, or holds each of them under its name. */
export function partsAt(part: Part, key: string, shorthand: Shorthand = {}): readonly Part[] {
  const value = at(part, key);
  if (value === undefined) return [];
  const path = [...part.path, key];
  if (Array.isArray(value))
    return (value as readonly JsonValue[]).flatMap(
      (item, index) => partOfValue(part, [...path, index], item, shorthand) ?? [],
    );
  const name = shorthand.key;
  if (!isJsonObject(value) || name === undefined || Object.hasOwn(value, name) || !isNamed(value, shorthand))
    return [partOfValue(part, path, value, shorthand) ?? []].flat();
  return Object.entries(value).flatMap(([own, item]) => {
    const inner = partOfValue(part, [...path, own], item, shorthand);
    return inner === undefined ? [] : [{ ...inner, value: { [name]: own, ...inner.value } }];
  });
}

const isNamed = (value: JsonObject, { text }: Shorthand): boolean =>
  Object.values(value).every(
    (item) => isJsonObject(item) || (text !== undefined && typeof item === 'string' && !Object.hasOwn(value, text)),
  );

export function flagAt(part: Part, key: string): boolean {
  const value = at(part, key);
  return value === true || (typeof value === 'string' && ['true', 'yes', '1'].includes(value.trim().toLowerCase()));
}

/** Which model works is for the client to choose; the author's wish is passed on. */
export const modelTierLine = (tier: string): string => `Meant for a model of the tier “${tier}”, where you can choose.`;

export function numberAt(part: Part, key: string): number | undefined {
  const value = at(part, key);
  const number = typeof value === 'string' && value.trim() !== '' ? Number(value) : value;
  if (number === undefined || (typeof number === 'number' && Number.isFinite(number))) return number;
  const message = `expected a number, got ${JSON.stringify(value).slice(0, 60)}; it is ignored`;
  part.say(warning([...part.path, key], 'type', message, { expected: 'a number' }));
  return undefined;
}

/** The format is read with tolerance: a key that means nothing is passed over, and told. */
export function warnOfKeys(
  part: Part,
  known: readonly string[],
  ignored: { readonly [key: string]: string } = {},
  told: readonly string[] = [],
): void {
  for (const key of Object.keys(part.value)) {
    const path = [...part.path, key];
    if (known.includes(key)) continue;
    const why = own(ignored, key);
    if (why !== undefined) {
      part.say(warning(path, 'ignored_key', `\`${key}\` is ignored: ${why}`, { of: 'key', actual: key }));
      continue;
    }
    const closest = closestName(key, known);
    const meant = knownInstead(closest && `\`${closest}\``, known, 'keys');
    const outcome = told.includes(key) ? '; the agent gets its text under that name' : ' and is ignored';
    const message = `\`${key}\` is not known here${outcome}${meant}`;
    part.say(warning(path, 'unknown_key', message, { of: 'key', actual: key, closest }));
  }
}
