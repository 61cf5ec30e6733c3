import type { JsonObject } from '../base/json-value.js';
import type { WarningTold } from '../contract/answer.js';
import type { CompiledWorkflow } from '../definitions/compiled/compiled-workflow.js';
import { contextKeys } from '../definitions/expand/context-keys.js';

/** What calls have a field of their own for, and what the run itself keeps: in the context it steers nothing. */
const fieldsOfCalls = ['ackToken', 'artifacts', 'confirmed', 'gaps', 'notesMarkdown', 'output', 'preferences'];
const keptByTheRun = [
  'checkpointToken',
  'completed',
  'completedSteps',
  'currentStep',
  'isComplete',
  'loopStack',
  'pendingStep',
  'sessionToken',
  'stateToken',
];
const outputFields = new Set(['artifacts', 'gaps', 'notesMarkdown']);

/** Facts that are called as something that is no fact, where the workflow does not ask for a key of that name. */
export function namesOfState(workflow: CompiledWorkflow, context: JsonObject): readonly WarningTold[] {
  const { set, onlyRead } = contextKeys(workflow);
  const asked = new Set([...Object.keys(workflow.inputs), ...set, ...onlyRead]);
  const told = (key: string, what: string): WarningTold => ({
    code: 'CONTEXT_NAMES_STATE',
    message: `context.${key} was kept as a fact and steers nothing: ${what}`,
    path: `/context/${key}`,
  });
  const stray = (keys: readonly string[]): readonly string[] =>
    keys.filter((key) => Object.hasOwn(context, key) && !asked.has(key));
  return [
    ...stray(fieldsOfCalls).map((key) => told(key, `its field is ${outputFields.has(key) ? 'output.' : ''}${key}`)),
    ...stray(keptByTheRun).map((key) => told(key, 'the run keeps track of that itself')),
  ];
}
