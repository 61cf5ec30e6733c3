import type { CommandToSend } from '../../decide/commands/command-at.js';
import type { Sent, Verdict } from '../../decide/commands/decide-tried.js';
import { judgeCall } from '../../engine/judge-call.js';
import { type RawAnswer, rightVerdict, wrongLeft } from './keep-answer.js';
import {
  type NotSent,
  prepareCommand,
  type PreparedCommand,
  requestWith,
  type Sending,
  type SendingWorld,
} from './prepare-command.js';
import { sendPages } from './send-pages.js';
import { toldOutcome } from './told-outcome.js';

/** Sends a command once, retries of its own and all its pages included, and says what came of it. */
export async function sendCommand(env: SendingWorld, command: CommandToSend, sending: Sending): Promise<Sent> {
  const { step, operation } = command;
  const notSent = (came: NotSent): Sent => ({ method: operation.method, url: operation.path, bytes: 0, ms: 0, came });
  const prepared = prepareCommand(env, command, sending);
  if (!prepared.ok) return notSent(prepared.error);
  const { paginate } = step;
  if (paginate !== undefined) return sendPages(prepared.value, paginate);
  const { calls, options } = prepared.value;
  const built = requestWith(prepared.value, command.with);
  if (!built.ok) return notSent({ outcome: 'not_sent', error: built.error });
  const outcome = await calls.send(built.value, options);
  return toldOutcome(prepared.value, outcome, (answer) => verdictOn(prepared.value, answer));
}

async function verdictOn(prepared: PreparedCommand, answer: RawAnswer): Promise<Verdict> {
  const { step, scope } = prepared.command;
  const judged = judgeCall(step, answer, scope);
  switch (judged.kind) {
    case 'right':
      return rightVerdict(prepared, answer, judged.body);
    case 'not_yet':
      return judged;
    case 'wrong':
      return { ...judged, left: wrongLeft(prepared, answer) };
  }
}
