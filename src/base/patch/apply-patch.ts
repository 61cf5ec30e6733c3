import { shownJson } from '../canonical-json.js';
import { unreachable } from '../assert.js';
import { type JsonObject, type JsonValue, nestingDepth } from '../json-value.js';
import { limits } from '../limits.js';
import { plainCopy } from '../plain-copy.js';
import { own } from '../own.js';
import { err, ok, type Result } from '../result.js';
import type { JsonPatch, PatchOperation } from './json-patch.js';
import {
  arrayIndex,
  isArray,
  type JsonPointer,
  parsePointer,
  pointerTo,
  shownPointer,
  valueAt,
} from './json-pointer.js';
import {
  bytesInside,
  deleteMember,
  jsonBytes,
  type LiveDocument,
  reorder,
  setMember,
  tooDeepAction,
  tooDeepMessage,
  tooLargeAction,
  tooLargeMessage,
} from './live-document.js';
import { noPlace, notThere, type PatchProblem, type Trouble } from './patch-problem.js';
import { sameJson } from './same-json.js';

export interface AppliedPatch {
  /** Whether anything may be different now. */
  readonly changed: boolean;
  /** Makes the document what it was, byte for byte. Called at most once, before it is changed again. */
  readonly undo: () => void;
}

export interface PatchOptions {
  /** What was recorded has been judged; it may have been redacted since, so that tests would ask for what is gone. */
  readonly replay?: true;
}

/**
 * Does a patch to a document, all of it or nothing. What is put in is copied: the document shares nothing with the patch,
 * and no two places of it share anything.
 */
export function applyPatch(
  document: LiveDocument,
  patch: JsonPatch,
  { replay }: PatchOptions = {},
): Result<AppliedPatch, PatchProblem> {
  const run = new PatchRun(document, replay === true);
  for (const [index, operation] of patch.entries()) {
    if (replay === true && operation.op === 'test') continue;
    const trouble = run.apply(operation);
    if (trouble === undefined) continue;
    run.undo();
    const { field, ...problem } = trouble;
    return err({ ...problem, operation: index, place: `/${index}/${field}` });
  }
  return ok({ changed: run.changed, undo: () => run.undo() });
}

/** What goes into the document, and which field of the operation says so. */
interface Given {
  readonly value: JsonValue;
  readonly field: 'path' | 'from' | 'value';
  /** Of the value; 0 where it is part of the document already. */
  readonly bytes: number;
  /** It was taken out of the document, so that it need not be copied. */
  readonly owned?: true;
  readonly isTooDeep: boolean;
}

/** Where something goes or is: `old` is what stands there. */
type Spot =
  | { readonly around: undefined; readonly old: JsonValue }
  | { readonly around: JsonObject; readonly key: string; readonly old: JsonValue | undefined }
  | {
      readonly around: JsonValue[];
      readonly key: string;
      readonly index: number;
      readonly old: JsonValue | undefined;
    };

class PatchRun {
  changed = false;
  private work = 0;
  private readonly back: (() => void)[] = [];
  /** Objects whose first order will be restored. */
  private readonly ordered = new Set<JsonObject>();
  private readonly bytesBefore: number;

  constructor(
    private readonly document: LiveDocument,
    private readonly replays: boolean,
  ) {
    this.bytesBefore = document.bytes;
  }

  undo(): void {
    for (const step of this.back.toReversed()) step();
    this.document.bytes = this.bytesBefore;
  }

  apply(operation: PatchOperation): Trouble | undefined {
    const path = pointerOf(operation.path, 'path');
    if (!path.ok) return path.error;
    switch (operation.op) {
      case 'test':
        return this.test(path.value, operation.value);
      case 'add':
        return this.give(path.value, operation.value, true);
      case 'replace':
        return this.give(path.value, operation.value, false);
      case 'remove':
        return this.remove(path.value);
      case 'copy':
      case 'move': {
        const from = pointerOf(operation.from, 'from');
        if (!from.ok) return from.error;
        const value = valueAt(this.document.value, from.value);
        if (value === undefined) return notThere(this.document.value, from.value, 'from');
        return operation.op === 'copy'
          ? this.copy(value, from.value, path.value)
          : this.move(value, from.value, path.value);
      }
      default:
        return unreachable(operation);
    }
  }

  private test(keys: JsonPointer, value: JsonValue): Trouble | undefined {
    const found = valueAt(this.document.value, keys);
    if (found === undefined) return notThere(this.document.value, keys, 'path');
    if (sameJson(value, found)) return undefined;
    const pointer = pointerTo(keys);
    return {
      rule: 'test_failed',
      field: 'value',
      pointer,
      message: `${shownOr(pointer, 'the document')} is not what the operation expects`,
      expected: shownJson(value),
      actual: shownJson(found),
      action: 'read the document again, and send a patch that fits what is there now',
    };
  }

  private give(keys: JsonPointer, value: JsonValue, adds: boolean): Trouble | undefined {
    const isTooDeep = this.isTooDeep(keys, value);
    // What is too deep is not walked through by what calls itself.
    return this.put(keys, { value, field: 'value', bytes: isTooDeep ? 0 : jsonBytes(value), isTooDeep }, adds);
  }

  private remove(keys: JsonPointer): Trouble | undefined {
    if (keys.length === 0)
      return {
        rule: 'whole_document',
        field: 'path',
        pointer: '',
        message: 'the document as a whole cannot be removed',
        action: 'replace it: `{ "op": "replace", "path": "", "value": {} }`',
      };
    const spot = this.spotAt(keys, false);
    if (!spot.ok) return spot.error;
    const bytes = jsonBytes(spot.value.old!);
    this.take(spot.value);
    this.document.bytes -= bytes;
    return this.spend(bytes, 'path', keys);
  }

  private copy(value: JsonValue, from: JsonPointer, to: JsonPointer): Trouble | undefined {
    const bytes = from.length === 0 ? this.document.bytes : jsonBytes(value);
    const tooMuch = this.spend(bytes, 'from', from);
    if (tooMuch !== undefined) return tooMuch;
    return this.put(to, { value, field: 'path', bytes, isTooDeep: this.isTooDeep(to, value) }, true);
  }

  private move(value: JsonValue, from: JsonPointer, to: JsonPointer): Trouble | undefined {
    if (from.every((key, at) => key === to[at])) return from.length === to.length ? undefined : intoItself(from, to);
    const goesDeeper = to.length > from.length;
    const tooMuch = goesDeeper ? this.spend(jsonBytes(value), 'from', from) : undefined;
    if (tooMuch !== undefined) return tooMuch;
    const spot = this.spotAt(from, false);
    if (!spot.ok) return spot.error;
    this.take(spot.value);
    const isTooDeep = goesDeeper && this.isTooDeep(to, value);
    return this.put(to, { value, field: 'path', bytes: 0, owned: true, isTooDeep }, true);
  }

  private put(keys: JsonPointer, given: Given, adds: boolean): Trouble | undefined {
    const found = this.spotAt(keys, adds);
    if (!found.ok) return found.error;
    const spot = found.value;
    const { field, value } = given;
    const pointer = pointerTo(keys);
    if (given.isTooDeep)
      return { rule: 'too_deep', field, pointer, message: tooDeepMessage('the document'), action: tooDeepAction };
    if (given.owned !== true && spot.old !== undefined && sameJson(value, spot.old)) return undefined;
    const tooMuch = this.grow(spot, given, keys);
    if (tooMuch !== undefined) return tooMuch;
    this.write(spot, given.owned === true ? value : plainCopy(value));
    return undefined;
  }

  /** Counts the bytes of a document with the value in it, unless they are too many. */
  private grow(spot: Spot, given: Given, keys: JsonPointer): Trouble | undefined {
    const { document } = this;
    if (spot.around === undefined) document.bytes = given.owned === true ? jsonBytes(given.value) : given.bytes;
    else if (spot.old === undefined) document.bytes += given.bytes + bytesInside(document, spot.around, spot.key);
    else {
      const bytes = jsonBytes(spot.old);
      document.bytes += given.bytes - bytes;
      const tooMuch = this.spend(bytes, 'path', keys);
      if (tooMuch !== undefined) return tooMuch;
    }
    if (this.replays || document.bytes <= limits.sharedDocument) return undefined;
    const message = tooLargeMessage('the document', document.bytes);
    return { rule: 'too_large', field: given.field, pointer: pointerTo(keys), message, action: tooLargeAction };
  }

  private isTooDeep(keys: JsonPointer, value: JsonValue): boolean {
    const left = limits.callerDepth - keys.length;
    return !this.replays && nestingDepth(value, left) > left;
  }

  /** Each operation is small; a thousand of them could walk through the whole document each. */
  private spend(bytes: number, field: 'path' | 'from', keys: JsonPointer): Trouble | undefined {
    this.work += bytes;
    if (this.replays || this.work <= limits.patchWork) return undefined;
    return {
      rule: 'too_much_work',
      field,
      pointer: pointerTo(keys),
      message: `up to here the patch copies, moves and takes out more than ${limits.patchWork.toLocaleString('en')} bytes`,
      action: 'send the operations in several patches, or replace the part that they change by one operation',
    };
  }

  private spotAt(keys: JsonPointer, adds: boolean): Result<Spot, Trouble> {
    const root = this.document.value;
    const key = keys.at(-1);
    if (key === undefined) return ok({ around: undefined, old: root });
    const before = keys.slice(0, -1);
    const around = valueAt(root, before);
    if (around === undefined) return err(notThere(root, before, 'path'));
    if (typeof around !== 'object' || around === null) return err(noPlace(around, before, key));
    if (!isArray(around)) {
      const old = own(around, key);
      return old === undefined && !adds ? err(notThere(root, keys, 'path')) : ok({ around, key, old });
    }
    const index = adds && key === '-' ? around.length : arrayIndex(key);
    if (index === undefined || index > around.length || (!adds && index === around.length))
      return err(adds ? noPlace(around, before, key) : notThere(root, keys, 'path'));
    return ok({ around: around as JsonValue[], key, index, old: adds ? undefined : around[index] });
  }

  private write(spot: Spot, value: JsonValue): void {
    const { document } = this;
    this.changed = true;
    if (spot.around === undefined) {
      const { old } = spot;
      document.value = value;
      this.back.push(() => void (document.value = old));
    } else if ('index' in spot) {
      const { around, index, old } = spot;
      if (old === undefined) {
        around.splice(index, 0, value);
        this.back.push(() => void around.splice(index, 1));
      } else {
        around[index] = value;
        this.back.push(() => void (around[index] = old));
      }
    } else {
      const { around, key, old } = spot;
      setMember(document, around, key, value);
      this.back.push(() =>
        old === undefined ? deleteMember(document, around, key) : setMember(document, around, key, old),
      );
    }
  }

  /** Takes out what stands at a spot, whose bytes are still counted; what stood around it no more. */
  private take(spot: Spot): void {
    const { document } = this;
    this.changed = true;
    if (spot.around === undefined) return;
    const { around, key } = spot;
    const old = spot.old!;
    if ('index' in spot) {
      spot.around.splice(spot.index, 1);
      this.back.push(() => void spot.around.splice(spot.index, 0, old));
    } else {
      const object = spot.around;
      // Whatever follows, the order of an object is what it was before the first member went.
      const names = this.ordered.has(object) ? undefined : Object.keys(object);
      this.ordered.add(object);
      deleteMember(document, object, key);
      this.back.push(() => {
        setMember(document, object, key, old);
        if (names !== undefined) reorder(object, names);
      });
    }
    document.bytes -= bytesInside(document, around, key);
  }
}

function pointerOf(text: string, field: 'path' | 'from'): Result<JsonPointer, Trouble> {
  const pointer = parsePointer(text);
  return pointer.ok ? pointer : err({ ...pointer.error, rule: 'shape', field, pointer: '', actual: shownJson(text) });
}

const shownOr = (pointer: string, whole: string): string => (pointer === '' ? whole : shownPointer(pointer));

function intoItself(from: JsonPointer, to: JsonPointer): Trouble {
  const [inner, outer] = [pointerTo(to), pointerTo(from)];
  return {
    rule: 'into_itself',
    field: 'path',
    pointer: inner,
    message: `${shownOr(outer, 'the document')} cannot be moved to ${shownPointer(inner)}, which is inside of it`,
    action: 'move it elsewhere, or use `copy`',
  };
}
