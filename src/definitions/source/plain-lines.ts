import type { JsonValue } from '../../base/json-value.js';

/** A line and a place in it, both from 0. */
export interface LinePlace {
  readonly line: number;
  readonly column: number;
}

/** Where a value stands. */
export interface PlainSpot {
  readonly key: LinePlace;
  readonly start: LinePlace;
  readonly end: LinePlace;
}

/** The spots of what objects and lists hold, by key. */
export type PlainSpots = Map<JsonValue, Map<string, PlainSpot>>;

/** The lines of a text, and the one that is read next. */
export interface PlainLines {
  readonly all: string[];
  at: number;
  /** Filled where places are asked for. */
  readonly spots?: PlainSpots | undefined;
}

export function noteSpot({ spots }: PlainLines, holder: JsonValue, key: string, spot: PlainSpot): void {
  if (spots === undefined) return;
  const inside = spots.get(holder) ?? new Map<string, PlainSpot>();
  spots.set(holder, inside.set(key, spot));
}

/** Below 0 where there is nothing but space. */
export function indentOf(line: string): number {
  let indent = 0;
  while (line[indent] === ' ') indent += 1;
  return indent < line.length ? indent : -1;
}

/** Without the spaces at its end; other white space is text. */
export function withoutEnd(text: string): string {
  let end = text.length;
  while (text[end - 1] === ' ') end -= 1;
  return text.slice(0, end);
}
