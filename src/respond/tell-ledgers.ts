import { byteLength, firstWords } from '../base/byte-budget.js';
import { isJsonObject, type JsonValue } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { own } from '../base/own.js';
import type { LedgerTold } from '../contract/ledger-told.js';
import type { CompiledWorkflow, LoopStep } from '../definitions/compiled/compiled-workflow.js';
import { pathOf, placesOf } from '../definitions/compiled/place.js';
import type { Place } from '../definitions/compiled/visit-steps.js';
import { templateExpressions } from '../definitions/expression/template.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { recordsAt } from '../sessions/records.js';
import { roundsDone, type RoundsDone } from '../sessions/rounds-done.js';

/** The loops that a run is in or has been through, the inner ones only while it is in them: what a lost chat needs whole. */
export function tellLedgers(session: FoldedSession, workflow: CompiledWorkflow, node: RunNode): readonly LedgerTold[] {
  const loops = [...placesOf(workflow).values()].filter(({ step }) => step.kind === 'loop');
  if (loops.length === 0) return [];
  const done = roundsDone(session, node);
  const { lists } = recordsAt(session, node);
  const told = loops.flatMap((place) => ledgerOf(place, node, done, (path) => own(lists, path)) ?? []);
  return told.map((ledger) => cutTo(limits.ledger / told.length, ledger));
}

interface Ledger extends Omit<LedgerTold, 'lines'> {
  readonly last: number;
  /** No round after this one has begun: all that follow it are in the same state. */
  readonly reached: number;
  readonly state: (round: number) => string;
  /** Of a round, its number and what it is about; and what it left. */
  readonly begin: (round: number) => string;
  readonly words: (round: number) => string;
}

function ledgerOf(
  { step, around }: Place,
  { pending }: RunNode,
  done: RoundsDone,
  listAt: (path: string) => readonly JsonValue[] | undefined,
): Ledger | undefined {
  const frames = pending?.frames ?? [];
  const outer = around.filter(({ kind }) => kind === 'loop');
  // The rounds of an inner loop are those of the round that is under way.
  if (step.kind !== 'loop' || !outer.every(({ id }, at) => frames[at]?.loop === id)) return undefined;
  const path = pathOf(around, frames, step.id);
  const here = frames.find(({ loop }) => loop === step.id)?.iteration;
  const rounds = done.get(path);
  const list = listAt(path);
  if (rounds === undefined && here === undefined) return undefined;
  const planned = howMany(step, list);
  const reached = [...(rounds?.keys() ?? [])].reduce((most, round) => Math.max(most, round), here ?? 0);
  const state = (number: number): string => {
    if (number === here) return 'now';
    if (rounds?.has(number) === true) return 'done';
    return number < reached ? 'skipped' : here === undefined ? 'not done' : 'to come';
  };
  const named = step.loop.type === 'foreach';
  const begin = (number: number): string => {
    const name = named ? nameOf(list?.[number - 1]) : undefined;
    return `${number}.${name === undefined ? '' : ` ${name}`}`;
  };
  return {
    loop: path,
    title: templateExpressions(step.title).length === 0 ? step.title : step.id,
    done: (rounds?.size ?? 0) - Number(here !== undefined && rounds?.has(here) === true),
    ...(planned !== undefined && { rounds: planned }),
    last: Math.max(reached, planned ?? 0),
    reached,
    state,
    begin,
    words: (number) => rounds?.get(number)?.notes ?? '',
  };
}

function howMany({ loop }: LoopStep, list: readonly JsonValue[] | undefined): number | undefined {
  if (loop.type === 'foreach') return list?.length;
  if (loop.type !== 'repeat') return undefined;
  return typeof loop.times === 'number' ? loop.times : Number(list?.[0] ?? 0);
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

const widths = [160, 80, 40, 20] as const;

/** No line of a round is shorter: `1. (done)`, and the end of the line. */
const lineAtLeast = 10;

/** Shorter words before fewer lines; in the end rounds in the same state share a line. */
function cutTo(budget: number, { last, reached, state, begin, words, ...ledger }: Ledger): LedgerTold {
  if (last * lineAtLeast <= budget + 1) {
    const bare = Array.from({ length: last }, (_, at) => `${begin(at + 1)} (${state(at + 1)})`);
    const fits = (told: readonly string[]): boolean => byteLength(told.join('\n')) <= budget;
    if (fits(bare)) {
      const told = widths.map((width) =>
        bare.map((line, at) => `${line}${words(at + 1) === '' ? '' : `: ${firstWords(words(at + 1), width)}`}`),
      );
      return { ...ledger, lines: told.find(fits) ?? bare };
    }
  }
  const stretches: string[] = [];
  for (let from = 1; from <= last;) {
    let to = from > reached ? last : from;
    const alike = state(from);
    while (to < last && state(to + 1) === alike) to += 1;
    stretches.push(to === from ? `${from}. (${alike})` : `${from} to ${to} (${alike})`);
    from = to + 1;
  }
  return { ...ledger, lines: stretches };
}
