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
    return misused('a stateToken already names its session; leave out --session');
  if (stateToken !== undefined && !/^(?:st|ack)[.v]/iu.test(stateToken))
    return misused(`${JSON.stringify(stateToken)} is not a stateToken; to name a session, use --session ${stateToken}`);
  if (stateToken !== undefined) return present(command, stateToken, { ackToken, atTip: false });
  const tip = await command.requests.people.findTip({ session });
  if (!tip.ok) return command.reject(tip.error);
  if (tip.value.stateToken === undefined) return command.reject(noRun(tip.value.sessionId));
  return present(command, tip.value.stateToken, { ackToken: undefined, atTip: true });
}

const noRun = (sessionId: string): Parameters<RequestsContext['reject']>[0] => ({
  code: 'PRECONDITION_FAILED',
  message: `session ${sessionId} has only notes, and no run yet`,
  action: ['start one in it: ', command('start', '<workflow>', '--session', sessionId)],
  context: { sessionId },
});

/** What goes with an ack; undefined where nothing does, and a look is meant. */
async function handedBack(command: RequestsContext, stateToken: string): Promise<JsonObject | undefined | ExitCode> {
  const { parsed, misused, environment } = command;
  const preferences = askedPreferences(parsed);
  if (!preferences.ok) return misused(preferences.error);
  const values = givenValues(environment);
  const typeOf = async (): Promise<DeclaredType> => keyTypes(await look(command, 'continue_workflow', { stateToken }));
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

/** With tokens it is the call that an agent makes; without them it looks first, which gives the pair. */
async function present(
  command: RequestsContext,
  stateToken: string,
  { ackToken: given, atTip }: { readonly ackToken: string | undefined; readonly atTip: boolean },
): Promise<ExitCode> {
  const handed = await handedBack(command, stateToken);
  if (typeof handed === 'number') return handed;
  const seen = atTip && handed !== undefined ? await ask(command, 'continue_workflow', { stateToken }) : undefined;
  if (seen?.ok === false) return seen.error;
  if (seen !== undefined && seen.value.ackToken === undefined && seen.value.pending !== null) {
    printAnswer(command, seen.value);
    return exitCodes.damage;
  }
  const ackToken = seen?.value.ackToken ?? given;
  const page = command.parsed.text('page');
  const answer = await ask(command, 'continue_workflow', {
    stateToken,
    ...(ackToken !== undefined && { ackToken }),
    ...handed,
    ...(page !== undefined && { page }),
  });
  return answer.ok ? printAnswer(command, answer.value) : answer.error;
}

function keyTypes(answer: ExecutionAnswer | undefined): DeclaredType {
  return (key) => answer?.pending?.expects.context.find((expected) => expected.key === key)?.type;
}
