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
import { type RoundDone, roundsDone } from '../sessions/rounds-done.js';

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
  readonly lines: readonly { readonly begin: string; readonly state: string; readonly words: string }[];
}

function ledgerOf(
  { step, around }: Place,
  { pending }: RunNode,
  done: ReadonlyMap<string, RoundDone>,
  listAt: (path: string) => readonly JsonValue[] | undefined,
): Ledger | undefined {
  const frames = pending?.frames ?? [];
  const outer = around.filter(({ kind }) => kind === 'loop');
  // The rounds of an inner loop are those of the round that is under way.
  if (step.kind !== 'loop' || !outer.every(({ id }, at) => frames[at]?.loop === id)) return undefined;
  const path = pathOf(around, frames, step.id);
  const here = frames.find(({ loop }) => loop === step.id)?.iteration;
  const numbers = [...done.keys()].flatMap((round) => {
    const rest = round.startsWith(`${path}@`) ? round.slice(path.length + 1) : '';
    return /^\d+$/u.test(rest) ? [Number(rest)] : [];
  });
  const list = listAt(path);
  const rounds = howMany(step, list);
  const last = Math.max(0, here ?? 0, ...numbers, rounds ?? 0);
  if (numbers.length === 0 && here === undefined) return undefined;
  const reached = Math.max(here ?? 0, ...numbers);
  const state = (number: number): string => {
    if (number === here) return 'now';
    if (done.has(`${path}@${number}`)) return 'done';
    return number < reached ? 'skipped' : here === undefined ? 'not done' : 'to come';
  };
  const lines = Array.from({ length: last }, (_, at) => {
    const name = step.loop.type === 'foreach' ? nameOf(list?.[at]) : undefined;
    return {
      begin: `${at + 1}.${name === undefined ? '' : ` ${name}`}`,
      state: state(at + 1),
      words: done.get(`${path}@${at + 1}`)?.notes ?? '',
    };
  });
  return {
    loop: path,
    title: templateExpressions(step.title).length === 0 ? step.title : step.id,
    done: lines.filter((line) => line.state === 'done').length,
    ...(rounds !== undefined && { rounds }),
    lines,
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

const widths = [160, 80, 40, 20, 0] as const;

/** Shorter words before fewer lines; in the end rounds in the same state share a line. */
function cutTo(budget: number, { lines, ...ledger }: Ledger): LedgerTold {
  for (const width of widths) {
    const told = lines.map(({ begin, state, words }) => {
      const said = width === 0 || words === '' ? '' : `: ${firstWords(words, width)}`;
      return `${begin} (${state})${said}`;
    });
    if (byteLength(told.join('\n')) <= budget) return { ...ledger, lines: told };
  }
  const stretches: string[] = [];
  for (let from = 0; from < lines.length;) {
    const { state } = lines[from]!;
    const end = lines.findIndex((line, at) => at > from && line.state !== state);
    const to = end < 0 ? lines.length : end;
    stretches.push(to - from === 1 ? `${from + 1}. (${state})` : `${from + 1} to ${to} (${state})`);
    from = to;
  }
  return { ...ledger, lines: stretches };
}
