import type { JsonObject } from '../../base/json-value.js';
import type { ExecutionAnswer } from '../../contract/answer.js';
import type { StdioClient, ToolAnswer } from '../../mcp/stdio-client.js';
import { expectsFiller } from './demo-agent.js';

/** An ack that was accepted, with the answer it got: what is needed to send it again. */
export interface Played {
  readonly request: JsonObject;
  readonly said: ToolAnswer;
  readonly answer: ExecutionAnswer;
}

/** The scripted agent: it knows the tools and the last answer, and nothing of the workflow. */
export interface Player {
  readonly played: readonly Played[];
  call(tool: string, args: JsonObject): Promise<ToolAnswer>;
  /** Completes the step of an answer. */
  play(at: ExecutionAnswer): Promise<Played>;
  /** Speaks to another server from here on. */
  moveTo(client: StdioClient): void;
}

export function playerOn(first: StdioClient): Player {
  let client = first;
  const played: Played[] = [];
  return {
    played,
    call: (tool, args) => client.call(tool, args),
    async play(at) {
      const { stateToken, ackToken, pending } = at;
      if (pending === null || ackToken === undefined) throw new Error('there is no step to play');
      const request = { stateToken, ackToken, ...expectsFiller(pending.expects) };
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

/** The answer of start, continue or checkpoint, as the contract has it. */
export function executionOf({ text, answer }: ToolAnswer): ExecutionAnswer {
  const whole: unknown = answer;
  if (typeof answer['stateToken'] !== 'string' || typeof answer['isComplete'] !== 'boolean')
    throw new Error(`this is no answer of a run: ${text.slice(0, 500)}`);
  return whole as ExecutionAnswer;
}
