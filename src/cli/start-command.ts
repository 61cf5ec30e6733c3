import type { JsonObject } from '../base/json-value.js';
import { isJsonObject } from '../base/json-value.js';
import { ask, look } from './ask.js';
import { askedPreferences } from './asked-preferences.js';
import { type AtDesk, atDesk } from './at-desk.js';
import type { ExitCode } from './exit-codes.js';
import { type DeclaredType, givenContext, givenValues } from './given-values.js';
import { tellExecution } from './tell-execution.js';

export const runStart = atDesk('start', start);

async function start(desk: AtDesk): Promise<ExitCode> {
  const { parsed, misused, surroundings } = desk;
  const [workflowId] = parsed.words;
  if (workflowId === undefined) return misused('which workflow? workrail list shows them');
  const preferences = askedPreferences(parsed);
  if (!preferences.ok) return misused(preferences.error);
  const values = givenValues(surroundings);
  const typeOf = async (): Promise<DeclaredType> => inputTypes(await look(desk, 'inspect_workflow', { workflowId }));
  const inputs = await givenContext('--input', parsed.list('input'), values, typeOf);
  if (!inputs.ok) return misused(inputs.error);
  const context = await givenContext('--context', parsed.list('context'), values, typeOf);
  if (!context.ok) return misused(context.error);
  const session = parsed.text('session');
  const facts: JsonObject = { ...context.value, ...inputs.value };
  const answer = await ask(desk, 'start_workflow', {
    workflowId,
    ...(Object.keys(facts).length > 0 && { context: facts }),
    ...(session !== undefined && { session }),
    ...(preferences.value !== undefined && { preferences: preferences.value }),
    ...(parsed.has('fresh') && { fresh: true }),
  });
  return answer.ok ? tellExecution(desk, answer.value) : answer.error;
}

function inputTypes(inspected: { readonly workflow: JsonObject } | undefined): DeclaredType {
  const inputs = inspected?.workflow['inputs'];
  return (name) => {
    const spec = isJsonObject(inputs) && Object.hasOwn(inputs, name) ? inputs[name] : undefined;
    return isJsonObject(spec) && typeof spec['type'] === 'string' ? spec['type'] : undefined;
  };
}
