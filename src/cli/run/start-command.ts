import type { JsonObject } from '../../base/json-value.js';
import { isJsonObject } from '../../base/json-value.js';
import { own } from '../../base/own.js';
import { ask, look } from '../shell/ask.js';
import { askedPreferences } from '../shell/asked-preferences.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';
import type { ExitCode } from '../shell/exit-codes.js';
import { type DeclaredType, givenContext, givenValues } from '../shell/given-values.js';
import { printAnswer } from './print-answer.js';

export const runStart = withRequests('start', start);

async function start(command: RequestsContext): Promise<ExitCode> {
  const { parsed, misused, environment } = command;
  const [workflowId] = parsed.words;
  if (workflowId === undefined) return misused('which workflow? workrail list shows them');
  const preferences = askedPreferences(parsed);
  if (!preferences.ok) return misused(preferences.error);
  const values = givenValues(environment);
  const typeOf = async (): Promise<DeclaredType> => inputTypes(await look(command, 'inspect_workflow', { workflowId }));
  const inputs = await givenContext('--input', parsed.list('input'), values, typeOf);
  if (!inputs.ok) return misused(inputs.error);
  const context = await givenContext('--context', parsed.list('context'), values, typeOf);
  if (!context.ok) return misused(context.error);
  const session = parsed.text('session');
  const facts: JsonObject = { ...context.value, ...inputs.value };
  const answer = await ask(command, 'start_workflow', {
    workflowId,
    ...(Object.keys(facts).length > 0 && { context: facts }),
    ...(session !== undefined && { session }),
    ...(preferences.value !== undefined && { preferences: preferences.value }),
    ...(parsed.has('fresh') && { fresh: true }),
  });
  return answer.ok ? printAnswer(command, answer.value) : answer.error;
}

function inputTypes(inspected: { readonly workflow: JsonObject } | undefined): DeclaredType {
  const inputs = inspected?.workflow['inputs'];
  return (name) => {
    const spec = isJsonObject(inputs) ? own(inputs, name) : undefined;
    return isJsonObject(spec) && typeof spec['type'] === 'string' ? spec['type'] : undefined;
  };
}
