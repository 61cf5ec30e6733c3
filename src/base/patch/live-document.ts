import { byteLength } from '../byte-budget.js';
import type { InPlace } from '../in-place.js';
import { type JsonObject, type JsonValue, nestingDepth } from '../json-value.js';
import { limits } from '../limits.js';
import { plainCopy } from '../plain-copy.js';
import { err, ok, type Result } from '../result.js';
import { isArray } from './json-pointer.js';
import type { PatchProblem } from './patch-problem.js';

/** A document that patches change in place. Nothing outside of it holds any part of it. */
export interface LiveDocument extends InPlace {
  value: JsonValue;
  /** Of its text without white space. */
  bytes: number;
  /** How many members the objects have that were changed: counting those of a wide one takes long. */
  readonly members: WeakMap<object, number>;
}

/** A copy of a value, to be changed in place. */
export function openDocument(value: JsonValue): Result<LiveDocument, PatchProblem> {
  const wrong = (rule: 'too_large' | 'too_deep', message: string, action: string): Result<never, PatchProblem> =>
    err({ rule, place: '', pointer: '', message, action });
  if (nestingDepth(value, limits.callerDepth) > limits.callerDepth)
    return wrong('too_deep', tooDeepMessage('the document'), tooDeepAction);
  const bytes = jsonBytes(value);
  if (bytes > limits.sharedDocument) return wrong('too_large', tooLargeMessage('the document', bytes), tooLargeAction);
  return ok({ value: plainCopy(value), bytes, members: new WeakMap() });
}

export const tooDeepMessage = (what: string): string =>
  `${what} would be nested more than ${limits.callerDepth} levels deep`;
export const tooDeepAction = 'keep what is deep inside nearer to the top, and refer to it by an id';
export const tooLargeMessage = (what: string, bytes: number, most: number = limits.sharedDocument): string =>
  `${what} would have ${bytes.toLocaleString('en')} bytes, of at most ${most.toLocaleString('en')}`;
export const tooLargeAction = 'take out what is not needed any more, or keep it in a file and note its path';

/** A document that has become larger than is allowed here, be that less than anywhere. */
export const tooLarge = ({ bytes }: LiveDocument, most: number): PatchProblem | undefined =>
  bytes <= most
    ? undefined
    : {
        rule: 'too_large',
        place: '',
        pointer: '',
        message: tooLargeMessage('the document', bytes, most),
        action: tooLargeAction,
      };

export const jsonBytes = (value: JsonValue): number => byteLength(JSON.stringify(value));

function countMembers({ members }: LiveDocument, object: JsonObject): number {
  return members.get(object) ?? Object.keys(object).length;
}

/** How many bytes a member or an element takes, with what divides it from the others. */
export function bytesInside(document: LiveDocument, around: JsonObject | readonly JsonValue[], key: string): number {
  if (isArray(around)) return around.length > 0 ? 1 : 0;
  return jsonBytes(key) + 1 + (countMembers(document, around) > 0 ? 1 : 0);
}

/** A member `__proto__` is data like any other. */
export function setMember(document: LiveDocument, object: JsonObject, key: string, value: JsonValue): void {
  const isNew = !Object.hasOwn(object, key);
  if (isNew) document.members.set(object, countMembers(document, object) + 1);
  if (key !== '__proto__') (object as Record<string, JsonValue>)[key] = value;
  else Object.defineProperty(object, key, { value, writable: true, enumerable: true, configurable: true });
}

export function deleteMember(document: LiveDocument, object: JsonObject, key: string): void {
  document.members.set(object, countMembers(document, object) - 1);
  delete (object as Record<string, JsonValue>)[key];
}

/** Puts the members back into the order that they had. */
export function reorder(object: JsonObject, names: readonly string[]): void {
  const members = object as Record<string, JsonValue>;
  const now = Object.keys(members);
  const from = names.findIndex((name, at) => name !== now[at]);
  if (from < 0) return;
  for (const name of names.slice(from)) {
    const member = Object.getOwnPropertyDescriptor(members, name)!;
    delete members[name];
    Object.defineProperty(members, name, member);
  }
}
