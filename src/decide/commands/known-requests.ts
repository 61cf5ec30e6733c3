import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { commandKey } from '../../definitions/compiled/command-lookup.js';
import type { CompiledWorkflow, RunStep } from '../../definitions/compiled/compiled-workflow.js';
import { everyStep } from '../../definitions/compiled/visit-steps.js';
import { freeNames } from '../../definitions/expression/bind-expression.js';
import { expressionTree } from '../../definitions/expression/expression-tree.js';
import { templateParts } from '../../definitions/expression/template.js';
import { type Filled, filledStep } from './filled-step.js';

/** A request that inputs alone decide about, at a step that every run comes to. */
export interface KnownRequest {
  readonly step: RunStep;
  readonly command: string;
  readonly filled: Filled;
}

/** The requests of a workflow that are known before it is started; what others send is known once their turn comes. */
export function knownRequests(workflow: CompiledWorkflow, inputs: JsonObject): readonly KnownRequest[] {
  const scope = { inputs, context: {}, outputs: {}, names: {} };
  return [...everyStep(workflow.steps)].flatMap(({ step, around }): readonly KnownRequest[] => {
    const isCertain = [...around, step].every((one) => one.kind !== 'loop' && one.if === undefined);
    if (step.kind !== 'run' || !isCertain || step.dependsOn !== undefined) return [];
    if (![step.with ?? {}, step.body ?? null].every(readsInputsAlone)) return [];
    return [{ step, command: commandKey(step), filled: filledStep(step, workflow, scope, '') }];
  });
}

function readsInputsAlone(value: JsonValue): boolean {
  if (typeof value === 'object' && value !== null) return Object.values(value).every(readsInputsAlone);
  if (typeof value !== 'string') return true;
  return templateParts(value).every((part) => {
    const tree = 'source' in part ? expressionTree(part.source) : undefined;
    return tree === undefined || (tree.ok && [...freeNames(tree.value)].every((name) => given.has(name)));
  });
}

/** What has a value before the first step. */
const given: ReadonlySet<string> = new Set(['inputs', 'secrets']);
