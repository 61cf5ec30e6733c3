import { byteLength, firstWords } from '../../base/byte-budget.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { own } from '../../base/own.js';
import type { RoundsAt } from '../../base/rounds.js';
import { type Frame, type Lists, pathOf } from '../compiled/place.js';
import { roundsPlanned } from '../compiled/rounds-planned.js';
import type { Place } from '../compiled/visit-steps.js';

export interface Ledger {
  readonly path: string;
  readonly done: number;
  /** How many there will be, where that is known. */
  readonly planned?: number;
  readonly last: number;
  readonly state: (round: number) => string;
  readonly name: (round: number) => string | undefined;
  /** What it left, in the author's words or in those of its notes. */
  readonly words: (round: number) => string;
}

/** The rounds of a loop as they are seen from a place; of an inner loop those of the round that is under way. Nothing where it was not come to. */
export function ledgerAt(
  { step, around }: Place,
  frames: readonly Frame[],
  roundsAt: RoundsAt,
  lists: Lists,
): Ledger | undefined {
  const outer = around.filter(({ kind }) => kind === 'loop');
  if (step.kind !== 'loop' || !outer.every(({ id }, at) => frames[at]?.loop === id)) return undefined;
  const path = pathOf(around, frames, step.id);
  const here = frames.find(({ loop }) => loop === step.id)?.iteration;
  const rounds = roundsAt(path);
  const list = own(lists, path);
  if (rounds === undefined && here === undefined) return undefined;
  const planned = roundsPlanned(step, () => list);
  const reached = Math.max(rounds?.last ?? 0, here ?? 0);
  const state = (number: number): string => {
    if (number === here) return 'now';
    if (rounds?.has(number) === true) return 'done';
    return number < reached ? 'skipped' : here === undefined ? 'not done' : 'to come';
  };
  const named = step.loop.type === 'foreach';
  return {
    path,
    done: (rounds?.size ?? 0) - Number(here !== undefined && rounds?.has(here) === true),
    ...(planned !== undefined && { planned }),
    last: Math.max(reached, planned ?? 0),
    state,
    name: (number) => (named ? nameOf(list?.[number - 1]) : undefined),
    words: (number) => rounds?.get(number)?.line ?? rounds?.get(number)?.notes ?? '',
  };
}

const nameBytes = 60;
const telling = ['name', 'title', 'id', 'path', 'key'] as const;

/** What an element is called, as a person would call it. */
function nameOf(element: JsonValue | undefined): string | undefined {
  if (element === undefined) return undefined;
  const named = isJsonObject(element)
    ? telling.map((key) => own(element, key)).find((value) => typeof value === 'string')
    : element;
  return firstWords(typeof named === 'string' ? named : JSON.stringify(named ?? element), nameBytes);
}

const widths = [limits.roundLine, 80, 40, 20] as const;

/** No line of a round is shorter: `1. (done)`, and the end of the line. */
const lineAtLeast = 10;

/** A line a round. Shorter words before fewer lines; in the end rounds in the same state share a line. */
export function ledgerLines({ last, state, name, words }: Ledger, budget: number): readonly string[] {
  if (last * lineAtLeast <= budget + 1) {
    const bare = Array.from({ length: last }, (_, at) => {
      const called = name(at + 1);
      return `${at + 1}.${called === undefined ? '' : ` ${called}`} (${state(at + 1)})`;
    });
    const fits = (told: readonly string[]): boolean => byteLength(told.join('\n')) <= budget;
    if (fits(bare)) {
      const told = widths.map((width) =>
        bare.map((line, at) => `${line}${words(at + 1) === '' ? '' : `: ${firstWords(words(at + 1), width)}`}`),
      );
      return told.find(fits) ?? bare;
    }
  }
  const stretches: string[] = [];
  for (let from = 1; from <= last;) {
    let to = from;
    while (to < last && state(to + 1) === state(from)) to += 1;
    stretches.push(to === from ? `${from}. (${state(from)})` : `${from} to ${to} (${state(from)})`);
    from = to + 1;
  }
  return stretches;
}

/** What an expression reads as `ledger.<loop>`. A loop that was not come to has no rounds. */
export function ledgerValue(ledger: Ledger | undefined): JsonObject {
  if (ledger === undefined) return { done: 0, lines: [], rounds: [] };
  const { done, last, name, state, words } = ledger;
  const rounds = Array.from({ length: last }, (_, at): JsonObject => {
    const called = name(at + 1);
    return {
      round: at + 1,
      ...(called !== undefined && { name: called }),
      state: state(at + 1),
      line: firstWords(words(at + 1), limits.roundLine),
    };
  });
  return { done, lines: ledgerLines(ledger, limits.ledger), rounds };
}
