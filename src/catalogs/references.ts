import { closestName } from '../base/closest-name.js';
import type { JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { err, ok, type Result } from '../base/result.js';
import { isObject, type Spot } from './document-reporter.js';

/** Another file of the document's folder, by its path below that folder; or why there is none to be had. */
export type OtherFile = (path: string) => Result<JsonValue, string>;

/** Why a reference leads nowhere. */
export interface Unfound {
  readonly message: string;
  readonly closest?: string;
}

/** What `$ref` leads to: in the document and in files of its folder, never further. */
export interface References {
  readonly main: Spot;
  find(reference: string, from: string): Result<Spot, Unfound>;
  /** Past every reference, to what stands at the end. What is no reference is there already. */
  follow(at: Spot): Result<Spot, Unfound & { readonly at: Spot }>;
}

export function openReferences(main: Spot, otherFile: OtherFile): References {
  const files = new Map<string, Result<JsonValue, string>>([[main.file, ok(main.value as JsonValue)]]);
  const known = new Map<string, Result<Spot, Unfound>>();
  const fileAt = (path: string): Result<JsonValue, string> => {
    const there = files.get(path);
    if (there !== undefined) return there;
    const read =
      files.size > limits.apiFiles ? err(`it is one of more than ${limits.apiFiles} files`) : otherFile(path);
    files.set(path, read);
    return read;
  };
  const find = (reference: string, from: string): Result<Spot, Unfound> => {
    const key = `${from}\n${reference}`;
    const found = known.get(key) ?? lookUp(reference, from, fileAt);
    known.set(key, found);
    return found;
  };
  return {
    main,
    find,
    follow: (start) => {
      let at = start;
      for (let steps = 0; isObject(at.value) && Object.hasOwn(at.value, '$ref'); steps += 1) {
        const reference = at.value['$ref'];
        if (typeof reference !== 'string') return err({ at, message: 'a `$ref` is a text' });
        if (steps >= limits.apiReferences)
          return err({ at, message: `\`${shown(reference)}\` leads through too many references` });
        const next = find(reference, at.file);
        if (!next.ok) return err({ ...next.error, at });
        at = next.value;
      }
      return ok(at);
    },
  };
}

function lookUp(
  reference: string,
  from: string,
  fileAt: (path: string) => Result<JsonValue, string>,
): Result<Spot, Unfound> {
  const hash = reference.indexOf('#');
  const [place, fragment] = hash < 0 ? [reference, ''] : [reference.slice(0, hash), reference.slice(hash + 1)];
  const file = place === '' ? ok(from) : pathBelow(place, from);
  if (!file.ok) return err({ message: `\`${shown(reference)}\` ${file.error}` });
  const whole = fileAt(file.value);
  if (!whole.ok) return err({ message: `\`${shown(reference)}\` cannot be followed: ${whole.error}` });
  if (fragment !== '' && !fragment.startsWith('/'))
    return err({ message: `\`${shown(reference)}\` is not a JSON pointer: write \`#/components/schemas/…\`` });
  return walk(whole.value, file.value, fragment, reference);
}

/** As text, since a file name may hold what only looks like an escape. */
function decoded(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch (cause) {
    if (cause instanceof URIError) return text;
    throw cause;
  }
}

const outside = 'is outside the document’s folder; references are only followed within it';

function pathBelow(place: string, from: string): Result<string, string> {
  const path = decoded(place);
  if (/^[a-z][a-z0-9+.-]*:/iu.test(path) || /^[/\\]/u.test(path) || /[\\\0]/u.test(path)) return err(outside);
  if (path.includes('?')) return err('has a `?`, which no file of the folder is asked with');
  const parts = from.split('/').slice(0, -1);
  for (const part of path.split('/')) {
    if (part === '..' && parts.length === 0) return err(outside);
    if (part === '..') parts.pop();
    else if (part !== '.' && part !== '') parts.push(part);
  }
  return ok(parts.join('/'));
}

function walk(whole: JsonValue, file: string, fragment: string, reference: string): Result<Spot, Unfound> {
  const steps = decoded(fragment)
    .split('/')
    .slice(1)
    .map((step) => step.replaceAll('~1', '/').replaceAll('~0', '~'));
  const path: (string | number)[] = [];
  let value: unknown = whole;
  for (const step of steps) {
    const next = memberOf(value, step);
    if (next === undefined) {
      const closest = isObject(value) ? closestName(step, Object.keys(value)) : undefined;
      const meant = closest === undefined ? '' : `; did you mean \`${shown(closest)}\`?`;
      const there = `there is no \`${shown(step)}\` in ${path.length === 0 ? 'the file' : `\`${shown(path.join('/'))}\``}`;
      return err({
        message: `\`${shown(reference)}\` does not exist: ${there}${meant}`,
        ...(closest !== undefined && { closest }),
      });
    }
    path.push(Array.isArray(value) ? Number(step) : step);
    value = next;
  }
  return ok({ value, file, path });
}

function memberOf(value: unknown, step: string): unknown {
  if (Array.isArray(value)) return /^(?:0|[1-9]\d*)$/u.test(step) ? (value[Number(step)] as unknown) : undefined;
  return isObject(value) && Object.hasOwn(value, step) ? value[step] : undefined;
}

const shown = (text: string): string => (text.length <= limits.echo ? text : `${text.slice(0, limits.echo)}…`);
