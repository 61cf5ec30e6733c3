import { closestName, isSlip } from '../../base/closest-name.js';
import type { JsonObject } from '../../base/json-value.js';
import type { CompiledWorkflow } from '../compiled/compiled-workflow.js';
import { contextKeys } from './context-keys.js';

interface MeantInput {
  readonly key: string;
  readonly meant: string;
  /** It is that name but for a slip of the hand; otherwise it is only like it, and may be a fact of its own. */
  readonly slip: boolean;
}

/** Keys given at the start that nothing reads, and that are nearly called as an input which was not given: that one was meant. */
export function meantInputs(workflow: CompiledWorkflow, context: JsonObject): readonly MeantInput[] {
  const { set, onlyRead } = contextKeys(workflow);
  const known = new Set([...Object.keys(workflow.inputs), ...set, ...onlyRead, ticket]);
  const open = Object.keys(workflow.inputs).filter((name) => !Object.hasOwn(context, name));
  return Object.keys(context).flatMap((key) => {
    const meant = known.has(key) ? undefined : closestName(key, open);
    return meant === undefined ? [] : [{ key, meant, slip: isSlip(key, meant) }];
  });
}

/** The fact by which any start may name its workstream. */
const ticket = 'ticketId';
