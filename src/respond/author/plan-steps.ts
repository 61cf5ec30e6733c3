import type { JsonObject } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { asJson } from '../../contract/reply-with.js';
import { commandKey } from '../../definitions/compiled/command-lookup.js';
import type { CompiledStep, CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import { isReading } from '../../definitions/compiled/operation-shape.js';
import { type AddressOf, type PlannedCatalog, plannedCatalogs } from '../../definitions/compiled/plan-hash.js';
import { placesOf } from '../../definitions/compiled/place.js';
import { renderedSteps } from './rendered-steps.js';

export interface Plan {
  readonly steps: readonly JsonObject[];
  readonly catalogs: readonly PlannedCatalog[];
  /** Some step changes something outside: the plan has to be agreed to. */
  readonly writes: boolean;
}

const planned = ['path', 'stepId', 'title', 'kind', 'address', 'dependsOn', 'if', 'runs', 'goes', 'confirm'] as const;

/** The steps in order, each with what it waits for, and where each catalog is called. What an agent does changes nothing by itself; a command may. */
export function planOf(workflow: CompiledWorkflow, inputs: JsonObject, addressOf: AddressOf): Plan {
  const places = [...placesOf(workflow).values()];
  const steps = [...renderedSteps(workflow, { inputs, context: {} })].map((step, at) =>
    asJson({
      ...Object.fromEntries(planned.flatMap((key) => (step[key] === undefined ? [] : [[key, step[key]]]))),
      ...ownPlan(workflow, places[at]?.step, step),
    }),
  );
  return {
    steps,
    catalogs: plannedCatalogs(workflow, addressOf),
    writes: steps.some(({ kind, safety }) => kind === 'run' && safety !== 'safe'),
  };
}

function ownPlan(workflow: CompiledWorkflow, step: CompiledStep | undefined, preview: JsonObject): object {
  if (step?.kind === 'prompt') return { safety: 'safe', waitsFor: waitsFor(preview) };
  if (step?.kind !== 'run') return {};
  const command = commandKey(step);
  const operation = own(workflow.operations ?? {}, command);
  // Of a command that no catalog was asked about only the method may tell.
  const safety = operation?.safety ?? (isReading(step.command, operation) === true ? 'safe' : 'unknown');
  return { command, safety, waitsFor: step.confirm === undefined ? ['server'] : ['server', 'user'] };
}

/** An agent does it; the user is needed where it asks for agreement or for what only they have. */
function waitsFor({ confirm, needs }: JsonObject): readonly string[] {
  const asksUser = confirm !== undefined || (Array.isArray(needs) && needs.length > 0);
  return asksUser ? ['agent', 'user'] : ['agent'];
}
