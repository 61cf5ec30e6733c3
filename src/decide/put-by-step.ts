import type { NodeId } from '../base/ids.js';
import type { JsonObject } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { own } from '../base/own.js';
import { mendSharedState } from '../base/state-seen.js';
import type { Sentence } from '../base/sentence.js';
import type { CompiledWorkflow, PromptStep } from '../definitions/compiled/compiled-workflow.js';
import { keysGiven } from '../definitions/compiled/visit-steps.js';
import { contextReads } from '../definitions/expression/context-reads.js';
import { type Facts, scopeAt } from '../definitions/expression/scope-at.js';
import type { Mendable } from '../engine/blocker.js';
import type { Who } from '../events/event.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { decidePuts, outputOf, type PutRefused, type PutsDone } from './states/decide-puts.js';
import { seenOf, stateNow } from './states/state-read.js';

interface StepDone {
  readonly step: PromptStep;
  readonly child: NodeId;
  /** What the step has left. */
  readonly left: JsonObject;
  readonly facts: Omit<Facts, 'controls'>;
  /** What it lacks besides. */
  readonly mend: readonly Mendable[];
}

/** What a step puts into the shared state with what an agent hands back; or what of that it did not take. */
export function putByStep(
  session: FoldedSession,
  node: RunNode,
  { workflow, who }: { readonly workflow: CompiledWorkflow; readonly who?: Who | undefined },
  { step, child, left, facts, mend }: StepDone,
): PutsDone & Pick<StepDone, 'mend'> {
  const now = stateNow(session, workflow);
  const { names, ...scope } = scopeAt(workflow, { ...facts, ...seenOf(now) }, node.pending?.frames ?? []);
  const known = { ...scope, names: { ...names, output: outputOf(left) }, meter: { left: limits.stepWork } };
  const put = decidePuts(session, now, { puts: step.puts ?? [], scope: known, node, child }, who);
  if (put.ok) return { ...put.value, mend };
  // What is not there yet has no value either, and is told as what it is.
  const wrong = put.error.filter(({ code }) => mend.length === 0 || code !== 'PRECONDITION_FAILED');
  return { events: [], now, mend: [...mend, ...putBlockers(step, wrong)] };
}

/** What of a step's output the shared state did not take, and where in the request it is to be mended. */
function putBlockers(step: PromptStep, refused: readonly PutRefused[]): readonly Mendable[] {
  return refused.map((one): Mendable => {
    const { put, message, missing, isOutside } = one;
    const given = keysGiven(step);
    const read = put === undefined ? [] : contextReads(put.value).map(({ key }) => key);
    const keys = (missing === undefined ? read : [missing]).filter((key) => given.includes(key));
    const [key] = keys;
    const taken = key === undefined ? undefined : own(step.takes ?? {}, key);
    const isContext = key !== undefined && taken === undefined;
    return {
      code: 'STATE_NOT_WRITTEN',
      pointer: isContext ? `/context/${key}` : step.outputs.length > 0 ? '/output/artifacts' : '/context',
      message: `nothing was put into the shared state: ${message}`,
      fix: fixOf(one, isContext ? `context.${key}` : undefined),
      wanted: isOutside === true || put === undefined ? message : `a value that fits ${put.path}`,
      // Where it is no key of the context, nothing can be said of how the request is to be changed.
      reads: isContext ? keys.filter((one) => own(step.takes ?? {}, one) === undefined) : [],
    };
  });
}

function fixOf({ put, code, isOutside, message }: PutRefused, key: string | undefined): Sentence {
  if (code === 'NOT_FOUND') return `${mendSharedState(message)}, then send this again`;
  if (code === 'STATE_CLOSED')
    return 'tell the user: a state that is closed takes nothing, and a fork of it has another id';
  if (isOutside === true || put === undefined) return 'tell the user';
  const what = `\`${put.value}\` goes to \`${put.path}\``;
  return key === undefined ? `correct what you hand back: ${what}` : `hand back another ${key}: ${what}`;
}
