import { closestName } from '../../base/closest-name.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../../base/json-value.js';
import type { Rejection } from '../../base/rejection.js';
import { command as commandTerm } from '../../base/sentence.js';
import { own } from '../../base/own.js';
import { ask, look } from '../shell/ask.js';
import { askedPreferences } from '../shell/asked-preferences.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';
import type { ExitCode } from '../shell/exit-codes.js';
import { type DeclaredType, givenContext, givenValues } from '../shell/given-values.js';
import { pickInputs } from './pick-inputs.js';
import { printAnswer } from './print-answer.js';

export const runStart = withRequests('start', start);

async function start(command: RequestsContext): Promise<ExitCode> {
  const { parsed, misused, environment } = command;
  const [workflowId] = parsed.words;
  if (workflowId === undefined) return misused('which workflow? `workrail list` shows them');
  const preferences = askedPreferences(parsed);
  if (!preferences.ok) return misused(preferences.error);
  const values = givenValues(environment);
  const typeOf = async (): Promise<DeclaredType> => inputTypes(await look(command, 'inspect_workflow', { workflowId }));
  const inputs = await givenContext('--input', parsed.list('input'), values, typeOf);
  if (!inputs.ok) return misused(inputs.error);
  const unknown = inputs.value === undefined ? undefined : await unknownInput(command, workflowId, inputs.value);
  if (unknown !== undefined) return command.reject(unknown);
  const context = await givenContext('--context', parsed.list('context'), values, typeOf);
  if (!context.ok) return misused(context.error);
  const session = parsed.text('session');
  const facts: JsonObject = { ...context.value, ...(await pickInputs(command, workflowId, inputs.value ?? {})) };
  const answer = await ask(command, 'start_workflow', {
    workflowId,
    ...(Object.keys(facts).length > 0 && { context: facts }),
    ...(session !== undefined && { session }),
    ...(preferences.value !== undefined && { preferences: preferences.value }),
    ...(parsed.has('fresh') && { fresh: true }),
  });
  return answer.ok ? printAnswer(command, answer.value) : answer.error;
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

function inputTypes(inspected: { readonly workflow: JsonObject } | undefined): DeclaredType {
  const inputs = inspected?.workflow['inputs'];
  return (name) => {
    const spec = isJsonObject(inputs) ? own(inputs, name) : undefined;
    return isJsonObject(spec) && typeof spec['type'] === 'string' ? spec['type'] : undefined;
  };
}
