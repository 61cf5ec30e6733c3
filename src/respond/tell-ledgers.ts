import { limits } from '../base/limits.js';
import type { LedgerTold } from '../contract/ledger-told.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { placesOf } from '../definitions/compiled/place.js';
import { ledgerAt, ledgerLines } from '../definitions/expression/ledger.js';
import { templateExpressions } from '../definitions/expression/template.js';
import type { Entry } from '../sessions/entry.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { recordsAt } from '../sessions/records.js';
import { roundsDone } from '../sessions/rounds-done.js';

/** The loops that a run is in or has been through, the inner ones only while it is in them: what a lost chat needs whole. */
export function tellLedgers(session: FoldedSession, workflow: CompiledWorkflow, node: RunNode): readonly LedgerTold[] {
  const loops = [...placesOf(workflow).values()].filter(({ step }) => step.kind === 'loop');
  if (loops.length === 0) return [];
  const done = roundsDone(session, node);
  const { lists } = recordsAt(session, node);
  const told = loops.flatMap((place) => {
    const ledger = ledgerAt(place, node.pending?.frames ?? [], done, lists);
    return ledger === undefined ? [] : [{ ledger, step: place.step }];
  });
  return told.map(({ ledger, step: { id, title } }) => ({
    loop: ledger.path,
    title: templateExpressions(title).length === 0 ? title : id,
    done: ledger.done,
    ...(ledger.planned !== undefined && { rounds: ledger.planned }),
    lines: ledgerLines(ledger, limits.ledger / told.length),
  }));
}

/** Whether the line of a round holds all that a step of it left; nothing where no round has a line of its own. */
export function toldInLedgers(ledgers: readonly LedgerTold[]): ((entry: Entry) => boolean) | undefined {
  // Rounds that share lines, or have no words in theirs, tell nothing of what was noted; who asks goes through all rounds.
  const worded = ledgers.filter(({ lines }) => lines.some((line) => line.includes('): ')));
  if (worded.length === 0) return undefined;
  return ({ kind, path, output: { notes, artifacts }, gaps, confirmed }) => {
    if (kind !== 'step' || notes === undefined || artifacts !== undefined || gaps.length > 0 || confirmed === true)
      return false;
    return worded.some(({ loop, lines }) => {
      const round = path.startsWith(`${loop}@`) ? Number.parseInt(path.slice(loop.length + 1), 10) : Number.NaN;
      return lines[round - 1]?.startsWith(`${round}.`) === true && lines[round - 1]!.endsWith(`: ${notes}`);
    });
  };
}
