import type { JsonObject } from '../../base/json-value.js';
import { ask } from '../shell/ask.js';
import { askedPreferences } from '../shell/asked-preferences.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';
import type { ExitCode } from '../shell/exit-codes.js';
import { givenContext, givenValues } from '../shell/given-values.js';
import { givenInputs, typesOfInputs } from './given-inputs.js';
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
  const inputs = await givenInputs(command, workflowId, values);
  if (!inputs.ok) return inputs.error;
  const context = await givenContext('--context', parsed.list('context'), values, () =>
    typesOfInputs(command, workflowId),
  );
  if (!context.ok) return misused(context.error);
  const session = parsed.text('session');
  const facts: JsonObject = { ...context.value, ...(await pickInputs(command, workflowId, inputs.value)) };
  const answer = await ask(command, 'start_workflow', {
    workflowId,
    ...(Object.keys(facts).length > 0 && { context: facts }),
    ...(session !== undefined && { session }),
    ...(preferences.value !== undefined && { preferences: preferences.value }),
    ...(parsed.has('fresh') && { fresh: true }),
  });
  return answer.ok ? printAnswer(command, answer.value) : answer.error;
}
