import { either } from '../../base/sentence.js';
import type { JsonObject } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { takeInputs } from '../../decide/take-inputs.js';
import type { CompiledWorkflow } from '../../definitions/compiled/compiled-workflow.js';
import type { Environment } from '../world/environment.js';
import { type Choices, matchingChoices, type NeedsInputs } from '../world/provider-values.js';

interface Asked {
  readonly input: string;
  readonly inputs?: JsonObject | undefined;
  readonly query?: string | undefined;
}

/** Those that match, and of which command they are. */
export interface InputChoices extends Choices {
  readonly command: string;
}

/** What one input is offered now, with the other inputs as they are. */
export async function choicesOfInput(
  env: Environment,
  workflow: CompiledWorkflow,
  { input, inputs = {}, query = '' }: Asked,
): Promise<Result<InputChoices | NeedsInputs, Rejection>> {
  const provider = own(workflow.inputs, input)?.provider;
  if (provider === undefined) return err(noProvider(workflow, input));
  const found = await env.providers.of(provider, { ...takeInputs(workflow, inputs).inputs });
  if (!found.ok || 'needs' in found.value) return found as Result<NeedsInputs, Rejection>;
  const command = `${provider.catalog} ${provider.command}`;
  return ok({ ...found.value, choices: matchingChoices(found.value, query), command });
}

function noProvider(workflow: CompiledWorkflow, name: string): Rejection {
  const having = Object.entries(workflow.inputs).flatMap(([input, { provider }]) =>
    provider === undefined ? [] : [input],
  );
  const isInput = own(workflow.inputs, name) !== undefined;
  return {
    code: 'NOT_FOUND',
    message: isInput ? `the input ${name} has no provider` : `${workflow.id} has no input ${JSON.stringify(name)}`,
    action:
      having.length === 0
        ? [either('ask the user for the value', 'enter the value yourself')]
        : `name one that has a provider: ${having.join(', ')}`,
    ...(having[0] !== undefined && { again: [{ at: '/input', to: having[0] }] }),
  };
}
