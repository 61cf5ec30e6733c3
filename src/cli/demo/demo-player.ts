import type { JsonObject } from '../../base/json-value.js';
import type { ExecutionAnswer } from '../../contract/answer.js';
import type { StdioClient, ToolAnswer } from '../../mcp/stdio-client.js';
import { expectsFiller } from './demo-agent.js';
import type { DemoTale, HandedIn } from './demo-tale.js';

/** An ack that was accepted, with the answer it got: what is needed to send it again. */
export interface Played {
  readonly request: JsonObject;
  readonly said: ToolAnswer;
  readonly answer: ExecutionAnswer;
}

/** The scripted agent: it knows the tools, the last answer and what it is told to hand in, and nothing of the workflow. */
export interface Player {
  readonly played: readonly Played[];
  call(tool: string, args: JsonObject): Promise<ToolAnswer>;
  /** Completes the step of an answer: with what it is told to hand in, else with what the answer expects, by example. */
  play(at: ExecutionAnswer, handedIn?: HandedIn): Promise<Played>;
  /** Speaks to another server from here on. */
  moveTo(client: Pick<StdioClient, 'call'>): void;
}

export function playerOn(first: Pick<StdioClient, 'call'>): Player {
  let client = first;
  const played: Played[] = [];
  return {
    played,
    call: (tool, args) => client.call(tool, args),
    async play(at, handedIn) {
      const { pending } = at;
      if (pending === null) throw new Error('there is no step to play');
      const request = requestToAck(at, handedIn ?? expectsFiller(pending.expects));
      const said = await client.call('continue_workflow', request);
      if (said.isError || said.answer['kind'] === 'blocked')
        throw new Error(`“${pending.title}” was not taken: ${said.text.slice(0, 1500)}`);
      const done: Played = { request, said, answer: executionOf(said) };
      played.push(done);
      return done;
    },
    moveTo(next) {
      client = next;
    },
  };
}

/** Starts a tale and plays its steps. Returns where it then stands. */
export async function playTale(player: Player, { workflowId, session, context, steps }: DemoTale): Promise<Played> {
  const said = await player.call('start_workflow', { workflowId, session, context, mode: 'auto_stop' });
  let at: Played = { request: {}, said, answer: executionOf(said) };
  for (const handedIn of steps) at = await player.play(at.answer, handedIn);
  return at;
}

/** What hands in the step of an answer. */
export function requestToAck({ stateToken, ackToken }: ExecutionAnswer, handedIn: HandedIn): JsonObject {
  if (ackToken === undefined) throw new Error('there is no step to hand in');
  return { stateToken, ackToken, ...handedIn };
}

/** The answer of start, continue or checkpoint, as the contract has it. */
export function executionOf({ text, answer }: ToolAnswer): ExecutionAnswer {
  const whole: unknown = answer;
  if (typeof answer['stateToken'] !== 'string' || typeof answer['isComplete'] !== 'boolean')
    throw new Error(`this is no answer of a run: ${text.slice(0, 500)}`);
  return whole as ExecutionAnswer;
}

export const titleOf = (answer: ExecutionAnswer): string => answer.pending?.title ?? 'the end';
export const same = (one: ToolAnswer | undefined, other: ToolAnswer): boolean =>
  one?.text === other.text && JSON.stringify(one.answer) === JSON.stringify(other.answer);
