import type { JsonObject, JsonValue } from '../base/json-value.js';
import { own } from '../base/own.js';
import { patched } from '../base/patched.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { type Frame, listsFromStart } from '../definitions/compiled/place.js';
import type { Facts } from '../definitions/expression/scope-at.js';
import type { ContextChange } from '../engine/taken-keys.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { recordsAt } from '../sessions/records.js';
import { leftInRound } from '../sessions/values-of-round.js';
import { changed } from './context-change.js';

interface Doing {
  readonly change: ContextChange;
  readonly done: JsonObject;
}

/** What is known when a round is done, with what its last step does. Lists that grow from the start of the run are of all rounds. */
export function knownInRound(
  session: FoldedSession,
  node: RunNode,
  workflow: CompiledWorkflow,
  frames: readonly Frame[],
  { change, done }: Doing,
): Pick<Facts, 'context' | 'outputs'> {
  const { context } = recordsAt(session, node);
  const lists = [...listsFromStart(workflow)].map((key): [string, JsonValue] => [key, own(context, key) ?? []]);
  return {
    context: changed(patched(leftInRound(session, node, 'context', frames), Object.fromEntries(lists)), change),
    outputs: patched(leftInRound(session, node, 'outputs', frames), done),
  };
}
