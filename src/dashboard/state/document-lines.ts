import { isJsonObject, type JsonValue } from '../../base/json-value.js';
import { isArray, pointerTo } from '../../base/patch/json-pointer.js';
import type { Part, PartChange } from './compare-documents.js';

/** A line of the tree: a part of the document, or some that are left out. */
export type DocumentLine =
  | PartLine
  | { readonly kind: 'left out'; readonly id: string; readonly depth: number; readonly count: number };

export interface PartLine {
  readonly kind: 'part';
  /** The same part has the same in every version. */
  readonly id: string;
  readonly pointer: string;
  readonly depth: number;
  readonly key: string | number | undefined;
  readonly value: JsonValue;
  readonly before?: JsonValue;
  readonly change: PartChange;
  /** A change begins here, and not in something around it. */
  readonly begins: boolean;
  /** Absent where nothing is inside. */
  readonly isOpen?: boolean;
}

export interface LinesWanted {
  /** What somebody opened or folded, by the lines' ids. */
  readonly turned: ReadonlyMap<string, boolean>;
  /** Everything is folded or open that nobody turned otherwise; a small document is open, of a large one what has changed. */
  readonly all?: boolean | undefined;
  readonly onlyChanges: boolean;
}

/** A document with as many parts is small. */
const small = 400;

/** The lines of a document, from the first to the last; what is folded is not looked into. */
export function documentLines(whole: Part, { turned, all, onlyChanges }: LinesWanted): readonly DocumentLine[] {
  const lines: DocumentLine[] = [];
  const isSmall = partsIn(whole.value, small) < small;
  const walk = (one: Part, depth: number, inside: PartChange | undefined): void => {
    const change = inside ?? one.change;
    const id = `${change === 'removed' ? '-' : ''}${one.pointer}`;
    const isFoldable = insideOf(one.value) > 0;
    const isOpen = isFoldable && (turned.get(id) ?? all ?? (isSmall || depth === 0 || change === 'within'));
    lines.push({
      kind: 'part',
      id,
      pointer: one.pointer,
      depth,
      key: one.key,
      value: one.value,
      ...(one.before !== undefined && { before: one.before }),
      change,
      begins: inside === undefined && change !== 'same' && change !== 'within',
      ...(isFoldable && { isOpen }),
    });
    if (!isOpen) return;
    let leftOut = 0;
    const leave = (): void => {
      if (leftOut > 0) lines.push({ kind: 'left out', id: `${id}…${lines.length}`, depth: depth + 1, count: leftOut });
      leftOut = 0;
    };
    // What lies in a part that was added, or stayed, is no change of its own.
    const within = change === 'within' ? undefined : change === 'changed' ? 'added' : change;
    for (const inner of one.parts ?? partsOf(one)) {
      if (onlyChanges && (within ?? inner.change) === 'same') leftOut += 1;
      else {
        leave();
        walk(inner, depth + 1, within);
      }
    }
    leave();
  };
  walk(whole, 0, undefined);
  return lines;
}

function* partsOf({ value, pointer, change }: Part): Iterable<Part> {
  const entries = isArray(value) ? value.entries() : isJsonObject(value) ? Object.entries(value) : [];
  for (const [key, inner] of entries) yield { key, pointer: `${pointer}${pointerTo([key])}`, change, value: inner };
}

/** How many members or elements stand directly in a value. */
export function insideOf(value: JsonValue): number {
  return isArray(value) ? value.length : isJsonObject(value) ? Object.keys(value).length : 0;
}

/** Stops counting at `enough`. */
function partsIn(value: JsonValue, enough: number): number {
  const open: JsonValue[] = [value];
  let count = 0;
  for (let next = open.pop(); next !== undefined && count < enough; next = open.pop()) {
    count += 1;
    if (typeof next === 'object' && next !== null) for (const inner of Object.values(next)) open.push(inner);
    if (open.length > enough) return enough;
  }
  return count;
}

/** The line on which the next change begins, or the one before; the same where there is none. */
export function nextChange(lines: readonly DocumentLine[], at: number, step: 1 | -1): number {
  for (let index = at + step; index >= 0 && index < lines.length; index += step) {
    const line = lines[index];
    if (line?.kind === 'part' && line.begins) return index;
  }
  return at;
}
