import { limits } from '../../base/limits.js';
import { own } from '../../base/own.js';
import type { CompiledStep, CompiledWorkflow } from '../compiled/compiled-workflow.js';
import { type Frame, pathOf, placesOf } from '../compiled/place.js';
import { roundsPlanned } from '../compiled/rounds-planned.js';
import type { Place } from '../compiled/visit-steps.js';
import { type Facts, scopeAt } from './scope-at.js';
import { StepEstimate } from './step-estimate.js';

/** Steps that follow each other, and how far a run has come in them. */
export interface LevelToCome {
  /** Loops and groups around them, outermost first. */
  readonly around: Place['around'];
  /** The rounds of those loops that the run is in. */
  readonly frames: readonly Frame[];
  readonly steps: readonly CompiledStep[];
  /** The first that is still to come. */
  readonly from: number;
  readonly estimate: StepEstimate;
  /** Where they are those of a loop: how many rounds are fixed to follow this one, and to how many steps each comes. */
  readonly left: number;
  readonly each: () => number;
}

/** From a step outwards: what follows it beside it, then what follows the loop or group around it, and so on. */
export function* levelsToCome(
  workflow: CompiledWorkflow,
  { id, frames }: { readonly id: string; readonly frames: readonly Frame[] },
  facts: Omit<Facts, 'controls'>,
): Generator<LevelToCome> {
  const places = placesOf(workflow);
  const all = places.get(id)?.around ?? [];
  const meter = { left: limits.stepWork };
  const estimateIn = (known: readonly Frame[]): StepEstimate =>
    new StepEstimate(() => ({ ...scopeAt(workflow, facts, known), meter }));
  let inner = id;
  for (let depth = all.length; depth >= 0; depth -= 1) {
    const around = all.slice(0, depth);
    const outer = around.at(-1);
    const known = frames.filter(({ loop }) => around.some((one) => one.id === loop));
    const steps = outer?.steps ?? workflow.steps;
    let left = 0;
    if (outer?.kind === 'loop') {
      const { id: loop, max } = outer;
      const entered = roundsPlanned(outer, () => own(facts.lists, pathOf(around.slice(0, -1), frames, loop)));
      const planned = Math.min(max, entered ?? 0);
      left = Math.max(0, planned - (known.at(-1)?.iteration ?? 1));
    }
    yield {
      around,
      frames: known,
      steps,
      from: (places.get(inner)?.index ?? 0) + 1,
      estimate: estimateIn(known),
      left,
      each: () => estimateIn(known.slice(0, -1)).of(steps),
    };
    inner = outer?.id ?? inner;
  }
}
