import { command } from '../../base/sentence.js';
import type { JsonObject } from '../../base/json-value.js';
import type { ExecutionAnswer } from '../../contract/answer.js';
import { ask, look } from '../shell/ask.js';
import { askedPreferences } from '../shell/asked-preferences.js';
import { type RequestsContext, withRequests } from '../shell/with-requests.js';
import { type ExitCode, exitCodes } from '../shell/exit-codes.js';
import { givenOutput } from '../shell/given-output.js';
import { type DeclaredType, givenContext, givenValues } from '../shell/given-values.js';
import { printAnswer } from './print-answer.js';

export const runContinue = withRequests('continue', goOn);

async function goOn(command: RequestsContext): Promise<ExitCode> {
  const { parsed, misused } = command;
  const [stateToken, ackToken] = parsed.words;
  const session = parsed.text('session');
  if (stateToken !== undefined && session !== undefined)
    return misused('a stateToken names its session already; leave out --session');
  if (stateToken !== undefined && !/^(?:st|ack)[.v]/iu.test(stateToken))
    return misused(`${JSON.stringify(stateToken)} is no stateToken; a session is named with --session ${stateToken}`);
  if (stateToken !== undefined) return present(command, stateToken, ackToken);
  const tip = await command.requests.people.findTip({ session });
  if (!tip.ok) return command.reject(tip.error);
  if (tip.value.stateToken === undefined) return command.reject(noRun(tip.value.sessionId));
  return presentAtTip(command, tip.value.stateToken);
}

const noRun = (sessionId: string): Parameters<RequestsContext['reject']>[0] => ({
  code: 'PRECONDITION_FAILED',
  message: `session ${sessionId} has notes and no run yet`,
  action: ['start one in it: ', command('start', '<workflow>', '--session', sessionId)],
  context: { sessionId },
});

/** What goes with an ack; undefined where nothing does, and a look is meant. */
async function handedBack(
  command: RequestsContext,
  typeOf: () => Promise<DeclaredType>,
): Promise<JsonObject | undefined | ExitCode> {
  const { parsed, misused, environment } = command;
  const preferences = askedPreferences(parsed);
  if (!preferences.ok) return misused(preferences.error);
  const values = givenValues(environment);
  const output = await givenOutput(parsed, values);
  if (!output.ok) return misused(output.error);
  const context = await givenContext('--context', parsed.list('context'), values, typeOf);
  if (!context.ok) return misused(context.error);
  const handed: JsonObject = {
    ...(output.value !== undefined && { output: output.value }),
    ...(context.value !== undefined && { context: context.value }),
    ...(parsed.has('confirmed') && { confirmed: true }),
    ...(preferences.value !== undefined && { preferences: preferences.value }),
  };
  return Object.keys(handed).length === 0 ? undefined : handed;
}

/** With tokens it is the call that an agent makes. */
async function present(command: RequestsContext, stateToken: string, ackToken: string | undefined): Promise<ExitCode> {
  const handed = await handedBack(command, async () =>
    keyTypes(await look(command, 'continue_workflow', { stateToken })),
  );
  if (typeof handed === 'number') return handed;
  return call(command, { stateToken, ...(ackToken !== undefined && { ackToken }), ...handed });
}

/** Without tokens it looks first: that gives the pair. */
async function presentAtTip(command: RequestsContext, stateToken: string): Promise<ExitCode> {
  const handed = await handedBack(command, async () =>
    keyTypes(await look(command, 'continue_workflow', { stateToken })),
  );
  if (typeof handed === 'number') return handed;
  if (handed === undefined) return call(command, { stateToken });
  const seen = await ask(command, 'continue_workflow', { stateToken });
  if (!seen.ok) return seen.error;
  const { ackToken, pending } = seen.value;
  if (ackToken === undefined && pending !== null) {
    printAnswer(command, seen.value);
    return exitCodes.damage;
  }
  return call(command, { stateToken, ...(ackToken !== undefined && { ackToken }), ...handed });
}

async function call(command: RequestsContext, request: JsonObject): Promise<ExitCode> {
  const page = command.parsed.text('page');
  const answer = await ask(command, 'continue_workflow', { ...request, ...(page !== undefined && { page }) });
  return answer.ok ? printAnswer(command, answer.value) : answer.error;
}

function keyTypes(answer: ExecutionAnswer | undefined): DeclaredType {
  return (key) => answer?.pending?.expects.context.find((expected) => expected.key === key)?.type;
}
