import { closestName } from '../../base/closest-name.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import type { Rejection } from '../../base/rejection.js';
import { err, ok, type Result } from '../../base/result.js';
import { command as commandTerm } from '../../base/sentence.js';
import { look } from '../shell/ask.js';
import type { ExitCode } from '../shell/exit-codes.js';
import { type DeclaredType, givenContext, type GivenValues } from '../shell/given-values.js';
import type { RequestsContext } from '../shell/with-requests.js';

/** What `--input` gives a workflow, in the types that it declares. */
export async function givenInputs(
  command: RequestsContext,
  workflowId: string,
  values: GivenValues,
): Promise<Result<JsonObject, ExitCode>> {
  const { parsed, misused, reject } = command;
  const given = await givenContext('--input', parsed.list('input'), values, () => typesOfInputs(command, workflowId));
  if (!given.ok) return err(misused(given.error));
  if (given.value === undefined) return ok({});
  const unknown = await unknownInput(command, workflowId, given.value);
  return unknown === undefined ? ok(given.value) : err(reject(unknown));
}

export async function typesOfInputs(command: RequestsContext, workflowId: string): Promise<DeclaredType> {
  const inputs = (await look(command, 'inspect_workflow', { workflowId }))?.workflow['inputs'];
  return (name) => {
    const spec = isJsonObject(inputs) ? own(inputs, name) : undefined;
    return isJsonObject(spec) && typeof spec['type'] === 'string' ? spec['type'] : undefined;
  };
}

/** What `--input` names is an input, or a fact that the workflow knows; `--context` takes any other. A workflow without inputs takes what it is given. */
async function unknownInput(
  command: RequestsContext,
  workflowId: string,
  given: JsonObject,
): Promise<Rejection | undefined> {
  const { inputs, contextKeys, contextFromElsewhere } =
    (await look(command, 'inspect_workflow', { workflowId }))?.workflow ?? {};
  if (!isJsonObject(inputs)) return undefined;
  const names = Object.keys(inputs);
  const known = [...names, ...namesIn(contextKeys), ...namesIn(contextFromElsewhere), 'ticketId'];
  const name = Object.keys(given).find((key) => !known.includes(key));
  if (name === undefined) return undefined;
  const closest = closestName(name, known);
  const instead = closest === undefined ? `its inputs: ${names.join(', ')}` : `did you mean ${closest}?`;
  return {
    code: 'VALIDATION_ERROR',
    message: `${name} is not an input of ${workflowId}; ${instead}`,
    action: [
      'use the name of an input; for other facts, use --context. To list its inputs: ',
      commandTerm('inspect', workflowId),
    ],
    context: { workflowId, input: name },
  };
}

const namesIn = (value: JsonValue | undefined): readonly string[] =>
  Array.isArray(value) ? value.filter((name) => typeof name === 'string') : [];
