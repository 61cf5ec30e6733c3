import { closestName } from '../base/closest-name.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import type { SourcePath } from './source-path.js';
import type { Finding } from './source-reporter.js';

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

function wrong(part: Part, path: SourcePath, value: JsonValue, expected: string, doubtful = false): undefined {
  const actual = Array.isArray(value) ? 'a list' : isJsonObject(value) ? 'an object' : JSON.stringify(value).slice(0, 60);
  part.say({ path, ...(doubtful && { severity: 'warning' }), rule: 'type', message: `expected ${expected}, got ${actual}${doubtful ? '; it is taken as it stands' : ''}`, expected, actual });
}

/** Text, or what can be told as text all the same: lines in a list, a number, in the end the JSON that stands there. */
export function textAt(part: Part, key: string): string | undefined {
  const value = at(part, key);
  return value === undefined ? undefined : asText(part, [...part.path, key], value);
}

function asText(part: Part, path: SourcePath, value: JsonValue): string {
  if (typeof value !== 'object' || value === null) return String(value);
  if (Array.isArray(value) && value.every((line) => typeof line === 'string')) return value.join('\n');
  wrong(part, path, value, 'text', true);
  return JSON.stringify(value);
}

/** A list of texts; one text is a list of one. */
export function textsAt(part: Part, key: string): readonly string[] {
  const value = at(part, key);
  if (value === undefined) return [];
  if (!Array.isArray(value)) {
    const one = textAt(part, key);
    return one === undefined || one.trim() === '' ? [] : [one];
  }
  return (value as readonly JsonValue[]).map((item, index) => asText(part, [...part.path, key, index], item));
}

export function partAt(part: Part, key: string): Part | undefined {
  const value = at(part, key);
  if (value === undefined) return undefined;
  if (isJsonObject(value)) return { value, path: [...part.path, key], say: part.say };
  return wrong(part, [...part.path, key], value, 'an object');
}

/** A list of objects; one object is a list of one. */
export function partsAt(part: Part, key: string): readonly Part[] {
  const value = at(part, key);
  if (value === undefined) return [];
  const path = [...part.path, key];
  if (isJsonObject(value)) return [{ value, path, say: part.say }];
  if (!Array.isArray(value)) return wrong(part, path, value, 'a list') ?? [];
  return (value as readonly JsonValue[]).flatMap((item, index) => {
    if (isJsonObject(item)) return [{ value: item, path: [...path, index], say: part.say }];
    wrong(part, [...path, index], item, 'an object');
    return [];
  });
}

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
  part.say({ path: [...part.path, key], severity: 'warning', rule: 'type', message: `expected a number, got ${JSON.stringify(value).slice(0, 60)}; it is passed over`, expected: 'a number' });
  return undefined;
}

/** The format is read with tolerance: a key that means nothing is passed over, and told. */
export function warnOfKeys(part: Part, known: readonly string[], ignored: { readonly [key: string]: string } = {}): void {
  for (const key of Object.keys(part.value)) {
    const path = [...part.path, key];
    if (known.includes(key)) continue;
    const why = Object.hasOwn(ignored, key) ? ignored[key] : undefined;
    if (why !== undefined) {
      part.say({ path, of: 'key', severity: 'warning', rule: 'ignored_key', message: `\`${key}\` is passed over: ${why}`, actual: key });
      continue;
    }
    const closest = closestName(key, known);
    const meant = closest === undefined ? '' : `; did you mean \`${closest}\`?`;
    part.say({ path, of: 'key', severity: 'warning', rule: 'unknown_key', message: `\`${key}\` is not known here and is passed over${meant}`, actual: key, closest });
  }
}
