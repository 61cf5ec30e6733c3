import { bodyLength, tokenForms } from './token.js';

/** What a handle is of: the two tokens of a call, which seal its node and attempt, and the draft that it waits with. */
export interface TaskHandle {
  readonly stateToken: string;
  readonly ackToken: string;
  /** The event of the draft; absent where the call had its answer at once. */
  readonly block?: string | undefined;
}

const prefix = 'task.v1.';
const { prefix: state } = tokenForms.state;
const { prefix: ack } = tokenForms.ack;
const form = new RegExp(
  `^${prefix.replaceAll('.', '\\.')}([0-9a-z]{${bodyLength('state')}})([0-9a-z]{${bodyLength('ack')}})([0-9a-f]{16})?$`,
  'iu',
);

/** The handle of a call, for whoever asks for its answer again. */
export const taskHandle = ({ stateToken, ackToken, block = '' }: TaskHandle): string =>
  `${prefix}${stateToken.slice(state.length)}${ackToken.slice(ack.length)}${block}`;

/** Takes a handle apart; undefined where it is none. Its tokens are still to be opened. */
export function readTaskHandle(text: string): TaskHandle | undefined {
  const [, stateBody, ackBody, block] = form.exec(text) ?? [];
  if (stateBody === undefined || ackBody === undefined) return undefined;
  return { stateToken: state + stateBody, ackToken: ack + ackBody, ...(block !== undefined && { block }) };
}
