import { closestNames } from '../../base/closest-name.js';
import { hole } from '../../base/hole.js';
import type { JsonObject, JsonValue } from '../../base/json-value.js';
import { limits } from '../../base/limits.js';
import { own } from '../../base/own.js';
import type { ResolvedInput } from '../../contract/author-answers.js';
import type { CompiledWorkflow, InputSpec } from '../../definitions/compiled/compiled-workflow.js';
import { asText } from '../../definitions/expression/expression-values.js';
import type { Environment } from '../world/environment.js';
import type { AskedWorkflow } from './asked-workflow.js';

/** How a workflow is named in a call: by its id, or by the text that came. */
export const sourceOf = ({ entry, isHere }: AskedWorkflow, inputs: JsonObject): JsonObject => ({
  ...(isHere ? { workflowId: entry.id } : { content: hole('the same text') }),
  ...(Object.keys(inputs).length > 0 && { inputs }),
});

interface Open {
  readonly spec: InputSpec;
  readonly inputs: JsonObject;
  readonly source: JsonObject;
}

/** An input that somebody has to say, with what its provider offers. */
export async function offeredChoices(
  env: Environment,
  open: ResolvedInput,
  { spec: { provider }, inputs, source }: Open,
): Promise<ResolvedInput> {
  if (provider === undefined) return open;
  const found = await env.providers.of(provider, inputs);
  if (!found.ok)
    return provider.onError === 'fail'
      ? { ...open, outcome: 'error', reason: found.error.message }
      : { ...open, reason: `${open.reason ?? ''}; its choices could not be fetched: ${found.error.message}` };
  if ('needs' in found.value)
    return { ...open, reason: `${open.reason ?? ''}; its choices depend on ${found.value.needs.join(' and ')}` };
  const { choices, complete } = found.value;
  return {
    ...open,
    choices: choices.slice(0, limits.choicesOffered),
    ...(complete && { choicesTotal: choices.length }),
    ...(choices.length > limits.choicesOffered &&
      env.offered.has('list_provider_values') && {
        nextCall: { tool: 'list_provider_values', arguments: { ...source, input: open.name } },
      }),
  };
}

interface Given {
  readonly name: string;
  readonly value: JsonValue;
  readonly inputs: JsonObject;
  /** What somebody sent, without defaults. */
  readonly given: JsonObject;
}

/** A value that was given: wrong where its provider has said all there is, and it is none of that. */
export async function offeredValue(
  env: Environment,
  workflow: CompiledWorkflow,
  { name, value, inputs, given }: Given,
): Promise<ResolvedInput> {
  const resolved: ResolvedInput = { name, outcome: 'resolved', value };
  const provider = own(workflow.inputs, name)?.provider;
  if (provider === undefined || own(given, name) === undefined) return resolved;
  const found = await env.providers.of(provider, inputs);
  // What cannot be asked now says nothing against a value.
  if (!found.ok || 'needs' in found.value || !found.value.complete || found.value.stale !== undefined) return resolved;
  const { choices } = found.value;
  if (choices.some((one) => JSON.stringify(one.value) === JSON.stringify(value))) return resolved;
  const texts = choices.flatMap((one) => (typeof one.value === 'string' ? [one.value] : []));
  const [closest] = closestNames(asText(value), texts);
  return {
    name,
    outcome: 'error',
    reason: `${JSON.stringify(value)} is not one of the ${choices.length} values that ${provider.catalog} ${provider.command} has${closest === undefined ? '' : `; did you mean ${JSON.stringify(closest)}?`}`,
    choices: choices.slice(0, limits.choicesOffered),
  };
}
