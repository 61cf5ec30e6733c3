import type { JsonValue } from '../../base/json-value.js';
import { oncePerObject } from '../../base/once-per-object.js';
import type { CompiledWorkflow } from '../compiled/compiled-workflow.js';
import { everyStep, type Place } from '../compiled/visit-steps.js';
import { type StatePath, stateReads } from '../expression/state-reads.js';
import { templateExpressions } from '../expression/template.js';
import { stepExpressions, stepParts } from './step-expressions.js';

export interface StateTold {
  /** Whether anything of it reads the shared state or writes to it. */
  readonly uses: boolean;
  /** What the texts of each step read of it, and what is sent; where nothing is read, the step is not there. */
  readonly bySteps: ReadonlyMap<string, readonly StatePath[]>;
  /** What is read when the run is complete. */
  readonly atEnd: readonly StatePath[];
}

/** What a workflow reads of the shared state after it was decided which step is next. */
export const stateTold = oncePerObject((workflow: CompiledWorkflow): StateTold => {
  const bySteps = new Map<string, readonly StatePath[]>();
  let uses = false;
  for (const { step, around } of everyStep(workflow.steps)) {
    // A loop may have called its element so before there were shared states.
    if (nameIsTaken(around)) continue;
    const { holes, sent, asked } = stepParts(step);
    const expressions = [...holes, ...sent, ...asked.map(({ text }) => text)];
    const paths = 'steps' in step ? [] : pathsIn(expressions);
    if (paths.length > 0) bySteps.set(step.id, paths);
    uses ||= pathsIn(stepExpressions(step)).length > 0 || stepParts(step).put.length > 0;
  }
  const atEnd = pathsIn(holesIn(workflow.returns ?? {}));
  return { uses: uses || atEnd.length > 0, bySteps, atEnd };
});

const nameIsTaken = (around: Place['around']): boolean =>
  around.some((outer) => stepParts(outer).names.some(({ text }) => text === 'state'));

const holesIn = (value: JsonValue): readonly string[] =>
  typeof value === 'string'
    ? templateExpressions(value).map(({ source }) => source)
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(holesIn)
      : [];

/** Without those that lie in others. */
function pathsIn(expressions: readonly string[]): readonly StatePath[] {
  const all = expressions.flatMap(stateReads);
  const isWithin = (path: StatePath, other: StatePath): boolean =>
    other.length <= path.length && other.every((key, at) => path[at] === key);
  return all.filter(
    (path, at) =>
      !all.some((other, place) => place !== at && isWithin(path, other) && (other.length < path.length || place < at)),
  );
}
