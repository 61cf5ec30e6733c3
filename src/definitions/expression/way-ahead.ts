import type { CompiledStep, CompiledWorkflow, GroupStep, LoopStep } from '../compiled/compiled-workflow.js';
import type { Frame } from '../compiled/place.js';
import type { Place } from '../compiled/visit-steps.js';
import type { Scope } from './expression.js';
import { levelsToCome } from './levels-to-come.js';
import type { Facts } from './scope-at.js';
import type { StepEstimate } from './step-estimate.js';

/** One step that is still to come, or a loop as a whole. */
export interface StepAhead {
  readonly step: Exclude<CompiledStep, GroupStep>;
  readonly around: Place['around'];
  /** The rounds that the run is in, of the loops around. */
  readonly frames: readonly Frame[];
  /** What has to hold for it: its own condition, and those of the groups that lead to it from where the run stands. */
  readonly conditions: readonly string[];
  /** Of a loop: how many rounds of it are to come, as far as that is known. */
  readonly rounds: number | undefined;
  /** The run is inside of this loop, and its other rounds are meant. */
  readonly again: boolean;
  /** To about how many steps it comes. */
  readonly count: number;
  /** What is known now of what will be known there. */
  readonly scope: () => Scope;
}

/** What follows the step that waits, in order; each counts for as much as `stepsToCome` counts it. What is known not to be done is left out. */
export function* wayAhead(
  workflow: CompiledWorkflow,
  at: { readonly id: string; readonly frames: readonly Frame[] },
  facts: Omit<Facts, 'controls'>,
): Generator<StepAhead> {
  for (const { around, frames, steps, from, estimate, left, each } of levelsToCome(workflow, at, facts)) {
    yield* follow(steps.slice(from), { around, frames, conditions: [] }, estimate);
    const outer = around.at(-1);
    // A loop that asks after each round goes on or not; one whose rounds are fixed and done does not.
    if (outer?.kind !== 'loop' || (left === 0 && !asksEachRound(outer))) continue;
    yield {
      step: outer,
      around: around.slice(0, -1),
      frames,
      conditions: [],
      rounds: left > 0 ? left : undefined,
      again: true,
      count: left === 0 ? 0 : left * each(),
      scope: () => estimate.scope,
    };
  }
}

const asksEachRound = ({ loop }: LoopStep): boolean => loop.type !== 'foreach' && loop.type !== 'repeat';

function* follow(
  steps: readonly CompiledStep[],
  where: Pick<StepAhead, 'around' | 'frames' | 'conditions'>,
  estimate: StepEstimate,
): Generator<StepAhead> {
  for (const step of steps) {
    if (estimate.isOut(step.if)) continue;
    const conditions = step.if === undefined ? where.conditions : [...where.conditions, step.if];
    const common = { ...where, conditions, again: false, scope: (): Scope => estimate.scope };
    if (step.kind === 'group') {
      yield* follow(step.steps, { ...where, conditions, around: [...where.around, step] }, estimate);
      continue;
    }
    const rounds = step.kind === 'loop' ? estimate.rounds(step) : undefined;
    const count = step.kind !== 'loop' ? 1 : rounds === 0 ? 0 : (rounds ?? 1) * estimate.of(step.steps);
    if (rounds !== 0) yield { ...common, step, rounds, count };
  }
}
