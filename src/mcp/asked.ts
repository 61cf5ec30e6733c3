import {
  CLIENT_CAPABILITIES_META_KEY,
  CLIENT_INFO_META_KEY,
  PROTOCOL_VERSION_META_KEY,
  type Server,
  type ServerContext,
  UnsupportedProtocolVersionError,
} from '@modelcontextprotocol/server';
import { readAgentName } from '../base/agent-name.js';
import { limits } from '../base/limits.js';
import { sha256Hex } from '../base/digest.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { own } from '../base/own.js';
import type { Askable, AskPerson, Progress } from '../requests/world/environment.js';
import { type AskForm, emptyForm, personAsker, personSaid } from './person-asker.js';

/** `legacy`: a connection begins with `initialize` (2024-11-05 to 2025-11-25). `modern`: each request says who asks (2026-07-28). */
export type Era = 'legacy' | 'modern';

const modernRevision = '2026-07-28';

/** The SDK holds the first request of a connection against the revisions that there are, and none that comes after it. */
export function refuseUnknownRevision(context: ServerContext): void {
  const requested = envelopeOf(context)[PROTOCOL_VERSION_META_KEY];
  if (typeof requested === 'string' && requested !== modernRevision)
    throw new UnsupportedProtocolVersionError({ supported: [modernRevision], requested });
}

/** Who asks, as each request of 2026-07-28 says. The SDK's published type of it is empty. */
function envelopeOf({ mcpReq }: ServerContext): JsonObject {
  const envelope: unknown = mcpReq.envelope;
  return isJsonObject(envelope) ? envelope : {};
}

/** By which a client of 2026-07-28 says that it takes tasks in what it is answered, and a server that it gives them. */
export const tasksExtension = 'io.modelcontextprotocol/tasks';

/** What the client can be asked while it waits for the answer to one request. */
export interface Asked {
  /** How a call asks the person, where it is answered only once they have. */
  readonly askable: Askable;
  /** Shows a form at once, over the open connection; clients of 2026-07-28 find forms in what they are answered. */
  readonly askForm: AskForm | undefined;
  /** Whether a form may be shown after the request has been answered, as on stdio. */
  readonly asksAnytime: boolean;
  /** What the request itself says that its client takes in what it is answered. */
  readonly takes: { readonly forms: boolean; readonly tasks: boolean };
  /** What came with the request of what the client was asked before. */
  answered(): ReadonlyMap<string, unknown>;
  /** Aborted when nobody waits for the answer any more. */
  cancelled(): AbortSignal;
  /** Its roots; none where it has none to name, and `asked` where it is to repeat the request with them. */
  roots(): readonly { readonly uri: string }[] | 'asked';
  /** What it is asked instead of an answer. */
  wanted(): JsonObject | undefined;
}

/** What a request has that comes with no answers, as none of the years before do. */
const askedNothing = {
  takes: { forms: false, tasks: false },
  answered: () => new Map<string, unknown>(),
  roots: () => [],
  wanted: () => undefined,
} as const;

export interface AskingOptions {
  readonly gone?: AbortSignal;
  /** The person is never asked through the client. */
  readonly noElicitation?: boolean;
  readonly log: (line: string) => void;
  readonly tasks?: object | undefined;
}

/** For each request of a server the way to ask its client, as the revision that it speaks has it. */
export function clientAsker(server: Server, era: Era, options: AskingOptions): (context: ServerContext) => Asked {
  if (era === 'modern') return (context) => askedByAnswer(context, options);
  const asker = personAsker(server, options);
  return (context) => {
    const askForm = options.noElicitation === true ? undefined : asker(context.mcpReq.id, context.mcpReq.signal);
    const askPerson: AskPerson | undefined =
      askForm &&
      (async (message) => {
        const said = await askForm({ message, requestedSchema: emptyForm });
        return typeof said === 'object' && said.action === 'accept';
      });
    return {
      ...askedNothing,
      askable: {
        agent: readAgentName(server.getClientVersion()),
        askPerson,
        askForm,
        asksAtOnce: true,
        progress: progressOf(context),
        ...stateNamed(context),
      },
      askForm,
      asksAnytime: context.http === undefined,
      cancelled: () => cancelled(context, options),
    };
  };
}

/** How whoever wished for it is told how far a call is. A client that has gone is told nothing. */
function progressOf({ mcpReq }: ServerContext): Progress | undefined {
  const token = mcpReq._meta?.['progressToken'];
  if (typeof token !== 'string' && typeof token !== 'number') return undefined;
  let [whole, told] = [0, 0];
  return (steps, message) => {
    // Each is more than the one before: a step takes several, which come ever closer to the next step.
    [whole, told] = steps > whole ? [steps, 0] : [whole, told + 1];
    const progress = whole + told / (told + 1);
    void mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken: token, progress, message } })
      .catch(() => undefined);
  };
}

/** Over HTTP each request may say which shared state it means, as the environment of a process does on stdio. */
function stateNamed({ http }: ServerContext): Pick<Askable, 'stateNamed'> {
  const named = http?.req?.headers.get('x-workflow-state-id') ?? '';
  return named === '' ? {} : { stateNamed: named };
}

/** Over HTTP a client that goes away says nothing: its connection ends. */
const cancelled = ({ mcpReq, http }: ServerContext, { gone }: AskingOptions): AbortSignal =>
  AbortSignal.any([mcpReq.signal, gone, http?.req?.signal].filter((signal) => signal !== undefined));

/** The request ends with what is wanted, and the client repeats it with what it was asked. Nothing is held in between. */
function askedByAnswer(context: ServerContext, options: AskingOptions): Asked {
  const { mcpReq } = context;
  const capabilities = envelopeOf(context)[CLIENT_CAPABILITIES_META_KEY];
  const can = (name: string): JsonValue | undefined =>
    isJsonObject(capabilities) ? own(capabilities, name) : undefined;
  // What the SDK could not read as an answer has its name beside the others.
  const answered = (): ReadonlyMap<string, unknown> =>
    new Map<string, unknown>([
      ...Object.entries(mcpReq.inputResponses ?? {}),
      ...(mcpReq.droppedInputResponseKeys ?? []).map((name) => [name, undefined] as const),
    ]);
  const extensions = can('extensions');
  const forms = options.noElicitation !== true && asksInForms(can('elicitation'));
  const tasks = isJsonObject(extensions) && own(extensions, tasksExtension) !== undefined;
  let wanted: JsonObject | undefined;
  const want = (name: string, request: JsonObject, requestState?: string): void => {
    wanted = {
      resultType: 'input_required',
      inputRequests: { [name]: request },
      ...(requestState !== undefined && { requestState }),
    };
  };
  let spent = false;
  /** An answer belongs to the question that was shown: work that changed since asks anew, and so does what did not fit. */
  const given = (name: string, state: string): unknown => {
    const answer = answered().get(name);
    if (spent || !isJsonObject(answer) || mcpReq.requestState() !== state) return undefined;
    spent = true;
    return answer;
  };
  const askPerson: AskPerson = (question) => {
    const state = sha256Hex(question);
    const answer = given('person', state);
    if (answer === undefined) want('person', elicitation(question, emptyForm), state);
    return Promise.resolve(personSaid(answer)?.action === 'accept');
  };
  const askOnce: Askable['askForm'] = ({ name, message, requestedSchema }) => {
    // How often it was shown stands in the state: a program that fills it in wrongly for ever is not asked for ever.
    const [shownName, shown = '0'] = String(mcpReq.requestState() ?? '').split('.');
    const times = shownName === sha256Hex(name) ? Number(shown) : 0;
    const answer = times === 0 ? undefined : given('form', `${sha256Hex(name)}.${times}`);
    if (answer === undefined && times < limits.formsOfCall)
      want('form', elicitation(message, requestedSchema), `${sha256Hex(name)}.${times + 1}`);
    return Promise.resolve(personSaid(answer));
  };
  return {
    // A call that waits is a task where its client takes tasks.
    askable: {
      agent: readAgentName(envelopeOf(context)[CLIENT_INFO_META_KEY]),
      progress: progressOf(context),
      ...stateNamed(context),
      ...(forms && { askPerson, ...(!(tasks && options.tasks !== undefined) && { askForm: askOnce }) }),
    },
    askForm: undefined,
    asksAnytime: false,
    takes: { forms, tasks },
    answered,
    cancelled: () => cancelled(context, options),
    roots() {
      const named = answered().get('roots');
      const roots = isJsonObject(named) ? named['roots'] : undefined;
      if (Array.isArray(roots)) return roots.filter(hasUri);
      // One that was asked and names none has none.
      if (named !== undefined || can('roots') === undefined) return [];
      want('roots', { method: 'roots/list' });
      return 'asked';
    },
    wanted: () => wanted,
  };
}

const elicitation = (message: string, requestedSchema: JsonObject): JsonObject => ({
  method: 'elicitation/create',
  params: { mode: 'form', message, requestedSchema },
});

const hasUri = (root: unknown): root is { readonly uri: string } =>
  isJsonObject(root) && typeof root['uri'] === 'string';

/** A client that names no way of asking means forms. */
const asksInForms = (elicitation: JsonValue | undefined): boolean =>
  isJsonObject(elicitation) && (elicitation['form'] !== undefined || elicitation['url'] === undefined);
