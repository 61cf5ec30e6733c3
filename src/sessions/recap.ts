import { byteLength, cutToBytes, firstWords } from '../base/byte-budget.js';
import type { EventSum } from '../base/ids.js';
import type { JsonObject } from '../base/json-value.js';
import type { Entry, Remembered } from './entry.js';
import { oncePerObject } from '../base/once-per-object.js';
import { gapLines, type KnownGaps } from './gap-words.js';

/** One remembered thing as a recap shows it. */
export interface RecapEntry {
  readonly path: string;
  readonly title: string;
  readonly kind: Entry['kind'];
  readonly confirmed?: true;
  readonly notes?: string;
  /** The artifacts that came with it: kind and beginning. */
  readonly artifacts?: readonly string[];
  readonly gaps?: readonly string[];
  /** Bytes of the notes that were left out, before and after what is shown. */
  readonly cut?: { readonly before: number; readonly after: number };
}

export interface Recap {
  /** Oldest first. */
  readonly entries: readonly RecapEntry[];
  /** The events behind them, newest first. */
  readonly sums: readonly EventSum[];
  /** How many older entries were left out. */
  readonly omitted: number;
  /** Where an earlier page would begin; absent when nothing was left out. */
  readonly older?: RecapPage;
  /** The first notes of the run, where they are among what was left out. */
  readonly first?: RecapEntry;
}

/** A place in the entries of a path, newest first: how many to pass over, and from which byte of the next one's notes. */
export interface RecapPage {
  readonly skip: number;
  readonly from: number;
}

export const recapPolicy = 'newest entries first into the budget, shown oldest first';
const shownKinds = 20;
const previewBytes = 160;

/** An artifact by its kind and how it begins. */
function previewOf({ kind, ...rest }: JsonObject): string {
  return `${typeof kind === 'string' ? kind.slice(0, 80) : '?'} ${firstWords(JSON.stringify(rest), previewBytes)}`;
}
/** One part in so many is for the first notes of the run. */
const pinnedShare = 4;
const leastPinned = 250;
/** A page that cuts shows at least one character, so that paging gets on. */
const longestCharacter = 4;

/** Takes as many of the newest entries as fit the budget. Where not even one fits, its notes are cut, and it says so. */
export function recapOf(remembered: Remembered, budget: number, page: RecapPage = { skip: 0, from: 0 }): Recap {
  // What was remembered is gone through once: only as much of it is kept as may have to be told again.
  const newestFirst = replayed(remembered.newestFirst);
  const gapsOf = toldGaps(remembered);
  const telling = {
    gapsOf,
    inWhole: oncePerObject((entry: Entry) => measured(shown(entry, gapsOf(entry), 0, undefined))),
  };
  const recap = newestOf({ ...remembered, newestFirst }, telling, budget, page);
  if (recap.older === undefined || page.skip > 0 || page.from > 0) return recap;
  const entry = remembered.first?.();
  if (entry === undefined || recap.sums.includes(entry.sum) || remembered.isToldBeside?.(entry) === true) return recap;
  // What is newest is not cut for it.
  const newest = recap.entries.at(-1);
  const left = newest === undefined || newest.cut !== undefined ? budget : budget - byteLength(JSON.stringify(newest));
  const most = Math.min(Math.floor(budget / pinnedShare), left);
  if (most < leastPinned) return recap;
  const { whole, size } = telling.inWhole(entry);
  // Its gaps are told where they are open; here they would take the room of its notes.
  const first = size <= most ? whole : cutEntry(entry, [], 0, most);
  const rest = newestOf({ ...remembered, newestFirst }, telling, budget - measured(first).size, page);
  // Where it alone was left out, nothing is.
  if (rest.omitted === 1 && first.cut === undefined) {
    const { entries, sums } = rest;
    return { entries, sums, omitted: 0, first };
  }
  // What is shown whole is not among what was left out.
  return { ...rest, first, omitted: rest.omitted - Number(first.cut === undefined) };
}

function replayed(entries: Iterable<Entry>): Iterable<Entry> {
  const seen: Entry[] = [];
  const iterator = entries[Symbol.iterator]();
  return {
    *[Symbol.iterator]() {
      for (let at = 0; ; at += 1) {
        if (at === seen.length) {
          const next = iterator.next();
          if (next.done === true) return;
          seen.push(next.value);
        }
        yield seen[at]!;
      }
    },
  };
}

type ToldGaps = (entry: Entry) => readonly string[];

interface Measured {
  readonly whole: RecapEntry;
  readonly size: number;
}

const measured = (whole: RecapEntry): Measured => ({ whole, size: byteLength(JSON.stringify(whole)) });

interface EntryTelling {
  readonly gapsOf: ToldGaps;
  /** An entry with nothing cut; where the first notes are pinned, the newest are gone through twice. */
  readonly inWhole: (entry: Entry) => Measured;
}

/** How gaps ended is looked for once, and only where there are any. */
function toldGaps({ gaps }: Remembered): ToldGaps {
  let known: KnownGaps | undefined;
  return (entry) => (entry.gaps.length === 0 ? [] : gapLines(entry.gaps.slice(0, shownKinds), (known ??= gaps())));
}

function newestOf(
  { newestFirst, count, isToldBeside }: Remembered,
  { gapsOf, inWhole }: EntryTelling,
  budget: number,
  page: RecapPage,
): Recap {
  const entries: RecapEntry[] = [];
  const sums: EventSum[] = [];
  let index = -1;
  let left = budget;
  let older: RecapPage | undefined;
  let beside = 0;
  for (const entry of newestFirst) {
    index += 1;
    if (index < page.skip) continue;
    if (isToldBeside?.(entry) === true) {
      beside += 1;
      continue;
    }
    // How many are told beside, and so not left out, is seen only by who goes through all of them.
    if (older !== undefined && isToldBeside === undefined) break;
    if (older !== undefined) continue;
    const from = index === page.skip ? page.from : 0;
    const { whole, size } = from === 0 ? inWhole(entry) : measured(shown(entry, gapsOf(entry), from, undefined));
    if (size <= left) {
      entries.unshift(whole);
      sums.push(entry.sum);
      left -= size;
    } else if (entries.length === 0) {
      const cut = cutEntry(entry, gapsOf(entry), from, left);
      entries.unshift(cut);
      sums.push(entry.sum);
      older = { skip: index, from: from + (cut.notes === undefined ? 0 : byteLength(cut.notes)) };
    } else older = { skip: index, from: 0 };
  }
  const omitted = older === undefined ? 0 : count() - page.skip - entries.length - beside;
  return { entries, sums, omitted, ...(older !== undefined && { older }) };
}

function cutEntry(entry: Entry, gaps: readonly string[], from: number, budget: number): RecapEntry {
  // What JSON makes of the notes may be many times longer than they are: halve in on the most that fits.
  let fits = 0;
  let tooMuch = budget + 1;
  while (tooMuch - fits > 1) {
    const middle = Math.floor((fits + tooMuch) / 2);
    if (byteLength(JSON.stringify(shown(entry, gaps, from, middle))) <= budget) fits = middle;
    else tooMuch = middle;
  }
  return shown(entry, gaps, from, Math.max(fits, longestCharacter));
}

function shown(entry: Entry, gaps: readonly string[], from: number, most: number | undefined): RecapEntry {
  const all = entry.output.notes;
  const rest = all === undefined ? undefined : from === 0 ? all : Buffer.from(all, 'utf8').toString('utf8', from);
  const notes = rest === undefined || most === undefined ? rest : cutToBytes(rest, most);
  const after = byteLength(rest ?? '') - byteLength(notes ?? '');
  const artifacts = entry.output.artifacts?.slice(0, shownKinds).map(previewOf);
  return {
    path: entry.path,
    title: entry.title,
    kind: entry.kind,
    ...(entry.confirmed === true && { confirmed: true }),
    ...(notes !== undefined && { notes }),
    ...(artifacts !== undefined && { artifacts }),
    ...(gaps.length > 0 && { gaps }),
    ...((from > 0 || after > 0) && { cut: { before: from, after } }),
  };
}
