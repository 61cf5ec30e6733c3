import type { JsonObject } from '../../base/json-value.js';
import { asJson } from '../../contract/reply-with.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { renderedSteps } from './rendered-steps.js';

export interface Plan {
  readonly steps: readonly JsonObject[];
  readonly catalogs: readonly JsonObject[];
  /** Some step changes something outside: the plan has to be agreed to. */
  readonly writes: boolean;
}

const planned = ['path', 'stepId', 'title', 'kind', 'if', 'runs', 'goes', 'confirm'] as const;

/** The steps in order, each with what it waits for. What an agent does changes nothing by itself, and so is safe. */
export function planOf(workflow: CompiledWorkflow, inputs: JsonObject): Plan {
  const steps = [...renderedSteps(workflow, { inputs, context: {} })].map((step) =>
    asJson({
      ...Object.fromEntries(planned.flatMap((key) => (step[key] === undefined ? [] : [[key, step[key]]]))),
      ...(step['kind'] === 'prompt' && { safety: 'safe', waitsFor: waitsFor(step) }),
    }),
  );
  return { steps, catalogs: [], writes: false };
}

/** An agent does it; the user is needed where it asks for agreement or for what only they have. */
function waitsFor({ confirm, needs }: JsonObject): readonly string[] {
  const asksUser = confirm !== undefined || (Array.isArray(needs) && needs.length > 0);
  return asksUser ? ['agent', 'user'] : ['agent'];
}
