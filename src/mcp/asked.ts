import { CLIENT_CAPABILITIES_META_KEY, type Server, type ServerContext } from '@modelcontextprotocol/server';
import { sha256Hex } from '../base/digest.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { own } from '../base/own.js';
import type { AskPerson } from '../requests/world/environment.js';
import { personAsker } from './person-asker.js';

/** `legacy`: a connection begins with `initialize` (2024-11-05 to 2025-11-25). `modern`: each request says who asks (2026-07-28). */
export type Era = 'legacy' | 'modern';

/** What the client can be asked while it waits for the answer to one request. */
export interface Asked {
  readonly askPerson: AskPerson | undefined;
  /** Its roots; none where it has none to name, and `asked` where it is to repeat the request with them. */
  roots(): readonly { readonly uri: string }[] | 'asked';
  /** What it is asked instead of an answer. */
  wanted(): JsonObject | undefined;
}

/** A client that answers nothing: what is asked of it would be asked in vain. */
const askedNothing: Asked = { askPerson: undefined, roots: () => [], wanted: () => undefined };

export interface AskingOptions {
  readonly gone?: AbortSignal;
  readonly log: (line: string) => void;
}

/** For each request of a server the way to ask its client, as the revision that it speaks has it. */
export function clientAsker(server: Server, era: Era, options: AskingOptions): (context: ServerContext) => Asked {
  if (era === 'modern') return askedByAnswer;
  const askPerson = personAsker(server, options);
  return ({ mcpReq: { id, signal } }) => ({ ...askedNothing, askPerson: askPerson(id, signal) });
}

/** The request ends with what is wanted, and the client repeats it with what it was asked. Nothing is held in between. */
function askedByAnswer({ mcpReq }: ServerContext): Asked {
  // The SDK's published type of the envelope is empty.
  const envelope: unknown = mcpReq.envelope;
  const capabilities = isJsonObject(envelope) ? envelope[CLIENT_CAPABILITIES_META_KEY] : undefined;
  const can = (name: string): JsonValue | undefined =>
    isJsonObject(capabilities) ? own(capabilities, name) : undefined;
  const answered = (name: string): unknown => own(mcpReq.inputResponses ?? {}, name);
  let wanted: JsonObject | undefined;
  const want = (name: string, request: JsonObject, requestState?: string): void => {
    wanted = {
      resultType: 'input_required',
      inputRequests: { [name]: request },
      ...(requestState !== undefined && { requestState }),
    };
  };
  return {
    askPerson: asksInForms(can('elicitation'))
      ? (question) => {
          const given = answered('person');
          // An answer belongs to the question that was shown: work that changed since asks anew.
          if (isJsonObject(given) && mcpReq.requestState() === sha256Hex(question))
            return Promise.resolve(given['action'] === 'accept');
          const params = { mode: 'form', message: question, requestedSchema: { type: 'object', properties: {} } };
          want('person', { method: 'elicitation/create', params }, sha256Hex(question));
          return Promise.resolve(false);
        }
      : undefined,
    roots() {
      const given = answered('roots');
      const roots = isJsonObject(given) ? given['roots'] : undefined;
      if (Array.isArray(roots)) return roots.filter(hasUri);
      // One that was asked and names none has none.
      if (given !== undefined || can('roots') === undefined) return [];
      want('roots', { method: 'roots/list' });
      return 'asked';
    },
    wanted: () => wanted,
  };
}

const hasUri = (root: unknown): root is { readonly uri: string } =>
  isJsonObject(root) && typeof root['uri'] === 'string';

/** A client that names no way of asking means forms. */
const asksInForms = (elicitation: JsonValue | undefined): boolean =>
  isJsonObject(elicitation) && (elicitation['form'] !== undefined || elicitation['url'] === undefined);
