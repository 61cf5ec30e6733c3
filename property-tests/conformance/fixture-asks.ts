import { createHmac, randomBytes } from 'node:crypto';
import { CLIENT_CAPABILITIES_META_KEY, type ServerContext, type Tool } from '@modelcontextprotocol/server';
import { isJsonObject, type JsonObject } from '../../src/base/json-value.js';
import { personSaid } from '../../src/mcp/person-asker.js';

type Answers = ReadonlyMap<string, JsonObject>;

/** A call that ends with what it wants of its client, round by round, until it has all of it. */
interface Asking {
  readonly rounds: (capabilities: JsonObject) => readonly { readonly [name: string]: JsonObject }[];
  /** Which round it is in is sealed and comes back with the answers. */
  readonly sealed?: true;
  readonly done: (answers: Answers) => string;
}

const elicitation = (message: string, properties: JsonObject): JsonObject => ({
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message,
    requestedSchema: { type: 'object', properties, required: Object.keys(properties) },
  },
});
const sampling = (text: string): JsonObject => ({
  method: 'sampling/createMessage',
  params: { messages: [{ role: 'user', content: { type: 'text', text } }], maxTokens: 100 },
});
const roots: JsonObject = { method: 'roots/list', params: {} };
const text = { type: 'string' };
const name = elicitation('What is your name?', { name: text });
const confirm = elicitation('Please confirm', { ok: { type: 'boolean' } });

const nameOf = (answers: Answers): string => {
  const content = answers.get('user_name')?.['content'];
  return JSON.stringify(isJsonObject(content) ? content['name'] : undefined);
};
const all = (answers: Answers): string => JSON.stringify([...answers]);

const asking: ReadonlyMap<string, Asking> = new Map<string, Asking>([
  ['elicitation', { rounds: () => [{ user_name: name }], done: (answers) => `Hello, ${nameOf(answers)}!` }],
  ['sampling', { rounds: () => [{ capital_question: sampling('What is the capital of France?') }], done: all }],
  ['list_roots', { rounds: () => [{ client_roots: roots }], done: all }],
  ['request_state', { rounds: () => [{ confirm }], sealed: true, done: () => 'state-ok' }],
  [
    'multiple_inputs',
    {
      rounds: () => [{ user_name: name, greeting: sampling('Generate a greeting'), client_roots: roots }],
      sealed: true,
      done: all,
    },
  ],
  [
    'multi_round',
    {
      rounds: () => [
        { step1: elicitation('Step 1: What is your name?', { name: text }) },
        { step2: elicitation('Step 2: What is your favorite color?', { color: text }) },
      ],
      sealed: true,
      done: all,
    },
  ],
  ['tampered_state', { rounds: () => [{ confirm }], sealed: true, done: () => 'untouched' }],
  [
    'capabilities',
    {
      rounds: ({ elicitation: forms, sampling: samples }) => [
        {
          ...(forms !== undefined && { user_name: name }),
          ...(samples !== undefined && { greeting: sampling('Hello') }),
        },
      ],
      done: all,
    },
  ],
]);

const prefix = 'test_input_required_result_';
const askingPrompt = `${prefix}prompt`;
const ofPrompt: Asking = {
  rounds: () => [{ user_context: elicitation('What context should the prompt use?', { context: text }) }],
  done: all,
};

export const askingTools: readonly Tool[] = [...asking.keys()].map((one) => ({
  name: `${prefix}${one}`,
  description: `For the conformance suite: ${prefix}${one}`,
  inputSchema: { type: 'object', properties: {} },
}));

/** What a call wants before it is answered, or the text of its answer; undefined where it is none of these. */
export function askFirst(
  called: string,
  { mcpReq }: ServerContext,
): { wanted: JsonObject } | { text: string } | undefined {
  const asks =
    called === askingPrompt
      ? ofPrompt
      : called.startsWith(prefix)
        ? asking.get(called.slice(prefix.length))
        : undefined;
  if (asks === undefined) return undefined;
  const envelope: unknown = mcpReq.envelope;
  const capabilities = isJsonObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined;
  const rounds = asks.rounds(isJsonObject(capabilities) ? capabilities : {});
  const state = mcpReq.requestState<string>();
  const round = asks.sealed === true && state !== undefined ? opened(called, state) : 0;
  const answers = answersTo(rounds[round] ?? {}, mcpReq.inputResponses ?? {});
  const isAnswered = answers !== undefined && (asks.sealed !== true || state !== undefined);
  const next = isAnswered ? round + 1 : round;
  const wanted = rounds[next];
  if (wanted === undefined) return { text: asks.done(answers ?? new Map()) };
  return {
    wanted: {
      resultType: 'input_required',
      inputRequests: wanted,
      ...(asks.sealed === true && { requestState: sealed(called, next) }),
    },
  };
}

/** All that was wanted, where it came as it should. */
function answersTo(wanted: { readonly [name: string]: JsonObject }, given: object): Answers | undefined {
  const came = new Map<string, unknown>(Object.entries(given));
  const answers = new Map<string, JsonObject>();
  for (const [one, { method }] of Object.entries(wanted)) {
    const answer = came.get(one);
    if (!isJsonObject(answer)) return undefined;
    if (method === 'elicitation/create' && personSaid(answer)?.action !== 'accept') return undefined;
    answers.set(one, answer);
  }
  return answers;
}

const key = randomBytes(32);
const sealed = (called: string, round: number): string =>
  `${round}.${createHmac('sha256', key).update(`${called} ${round}`).digest('hex')}`;

function opened(called: string, state: string): number {
  const round = Number(state.split('.')[0]);
  if (sealed(called, round) !== state)
    throw Object.assign(new Error('the requestState is not as it was given out'), { code: -32602 });
  return round;
}
