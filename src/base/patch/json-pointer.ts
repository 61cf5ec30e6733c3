import type { JsonValue } from '../json-value.js';
import { limits } from '../limits.js';
import { own } from '../own.js';
import { err, ok, type Result } from '../result.js';

/** The way to a value, as RFC 6901 has it: names of members and indexes, the whole document being the empty way. */
export type JsonPointer = readonly string[];

/** What is wrong with a pointer, and what to write instead. */
export interface PointerProblem {
  readonly message: string;
  readonly action: string;
}

export function parsePointer(text: string): Result<JsonPointer, PointerProblem> {
  if (text === '') return ok([]);
  if (!text.startsWith('/')) {
    const meant = text.startsWith('#') ? text.replace(/^#\/?/u, '/') : `/${text}`;
    return err({
      message: `${shownPointer(text)} does not begin with \`/\``,
      action: `write ${shownPointer(meant)}, or an empty text for the whole document`,
    });
  }
  const parts = text.slice(1).split('/');
  if (!text.includes('~')) return ok(parts);
  const wrong = /~(?![01])/u.exec(text);
  if (wrong !== null)
    return err({
      message: `${shownPointer(text)} has \`${text.slice(wrong.index, wrong.index + 2)}\`, which stands for nothing`,
      action: 'write `~0` for a `~` in a name, and `~1` for a `/`',
    });
  return ok(parts.map(plainKey));
}

/** A part of a pointer as the name that it stands for. The order matters: `~01` is `~1`. */
export const plainKey = (part: string): string => part.replaceAll('~1', '/').replaceAll('~0', '~');

export function pointerTo(path: readonly (string | number)[]): string {
  return path.map((key) => `/${String(key).replaceAll('~', '~0').replaceAll('/', '~1')}`).join('');
}

/** In a sentence, on one line. By characters and not by bytes, which a browser does not count. */
export function shownPointer(pointer: string): string {
  const line = pointer.replaceAll(/\s+/gu, ' ');
  const [start = ''] = pointerStart.exec(line) ?? [];
  return `\`${line.length <= limits.echo ? line : `${start} …`}\``;
}

const pointerStart = new RegExp(`^.{0,${limits.echo - 2}}`, 'su');

/** Undefined for what is no index: other words, leading zeros, `-`. */
export function arrayIndex(key: string): number | undefined {
  return /^(?:0|[1-9]\d*)$/u.test(key) ? Number(key) : undefined;
}

/** What stands directly inside of a value under a name, or in an array at an index. */
export function memberAt(value: JsonValue, key: string): JsonValue | undefined {
  if (typeof value !== 'object' || value === null) return undefined;
  if (!isArray(value)) return own(value, key);
  const index = arrayIndex(key);
  return index === undefined ? undefined : value[index];
}

export function valueAt(value: JsonValue, pointer: JsonPointer): JsonValue | undefined {
  let found: JsonValue | undefined = value;
  for (const key of pointer) {
    if (found === undefined) return undefined;
    found = memberAt(found, key);
  }
  return found;
}

export const isArray = (value: JsonValue): value is readonly JsonValue[] => Array.isArray(value);

/**
 * Whether changes at two places of one document get in each other's way: one place is around the other, or both are
 * reached through one array by index, which a change may shift. `-` names no element: appending shifts nothing.
 */
export function pointersTouch(document: JsonValue, one: JsonPointer, other: JsonPointer): boolean {
  let around: JsonValue | undefined = document;
  for (const [at, key] of one.entries()) {
    const theirs = other[at];
    const isElement = around !== undefined && isArray(around);
    if (theirs === undefined) return true;
    if (isElement && (key === '-' || theirs === '-')) return false;
    if (key !== theirs) return isElement;
    around = around === undefined ? undefined : memberAt(around, key);
  }
  return true;
}
