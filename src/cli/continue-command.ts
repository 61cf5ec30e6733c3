import type { JsonObject } from '../base/json-value.js';
import type { ExecutionAnswer } from '../contract/answer.js';
import { ask, look } from './ask.js';
import { askedPreferences } from './asked-preferences.js';
import { type AtDesk, atDesk } from './at-desk.js';
import { type ExitCode, exitCodes } from './exit-codes.js';
import { givenOutput } from './given-output.js';
import { type DeclaredType, givenContext, givenValues } from './given-values.js';
import { tellExecution } from './tell-execution.js';

export const runContinue = atDesk('continue', goOn);

async function goOn(desk: AtDesk): Promise<ExitCode> {
  const { parsed, misused } = desk;
  const [stateToken, ackToken] = parsed.words;
  const session = parsed.text('session');
  if (stateToken !== undefined && session !== undefined)
    return misused('a stateToken names its session already; leave out --session');
  if (stateToken !== undefined && !/^(?:st|ack)[.v]/iu.test(stateToken))
    return misused(`${JSON.stringify(stateToken)} is no stateToken; a session is named with --session ${stateToken}`);
  if (stateToken !== undefined) return present(desk, stateToken, ackToken);
  const tip = await desk.requests.desk.findTip({ session });
  if (!tip.ok) return desk.reject(tip.error);
  if (tip.value.stateToken === undefined) return desk.reject(noRun(tip.value.sessionId));
  return presentAtTip(desk, tip.value.stateToken);
}

const noRun = (sessionId: string): Parameters<AtDesk['reject']>[0] => ({
  code: 'PRECONDITION_FAILED',
  message: `session ${sessionId} has notes and no run yet`,
  action: `start one in it: workrail start <workflow> --session ${sessionId}`,
  context: { sessionId },
});

/** What goes with an ack; undefined where nothing does, and a look is meant. */
async function handedBack(
  desk: AtDesk,
  typeOf: () => Promise<DeclaredType>,
): Promise<JsonObject | undefined | ExitCode> {
  const { parsed, misused, surroundings } = desk;
  const preferences = askedPreferences(parsed);
  if (!preferences.ok) return misused(preferences.error);
  const values = givenValues(surroundings);
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
async function present(desk: AtDesk, stateToken: string, ackToken: string | undefined): Promise<ExitCode> {
  const handed = await handedBack(desk, async () => keyTypes(await look(desk, 'continue_workflow', { stateToken })));
  if (typeof handed === 'number') return handed;
  return call(desk, { stateToken, ...(ackToken !== undefined && { ackToken }), ...handed });
}

/** Without tokens it looks first: that gives the pair. */
async function presentAtTip(desk: AtDesk, stateToken: string): Promise<ExitCode> {
  const handed = await handedBack(desk, async () => keyTypes(await look(desk, 'continue_workflow', { stateToken })));
  if (typeof handed === 'number') return handed;
  if (handed === undefined) return call(desk, { stateToken });
  const seen = await ask(desk, 'continue_workflow', { stateToken });
  if (!seen.ok) return seen.error;
  const { ackToken, pending } = seen.value;
  if (ackToken === undefined && pending !== null) {
    tellExecution(desk, seen.value);
    return exitCodes.damage;
  }
  return call(desk, { stateToken, ...(ackToken !== undefined && { ackToken }), ...handed });
}

async function call(desk: AtDesk, request: JsonObject): Promise<ExitCode> {
  const page = desk.parsed.text('page');
  const answer = await ask(desk, 'continue_workflow', { ...request, ...(page !== undefined && { page }) });
  return answer.ok ? tellExecution(desk, answer.value) : answer.error;
}

function keyTypes(answer: ExecutionAnswer | undefined): DeclaredType {
  return (key) => answer?.pending?.expects.context.find((expected) => expected.key === key)?.type;
}
