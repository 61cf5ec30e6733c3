import type { RequestId, Server } from '@modelcontextprotocol/server';
import { errorText } from '../base/error-text.js';
import { isJsonObject, type JsonObject } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import type { PersonSaid, TaskQuestion } from '../contract/durable-tasks.js';
import { anything } from './anything.js';

/** Shows the person a form, and waits for them. Nothing comes back where they gave no answer; `busy` where they read another form. */
export type AskForm = (
  form: TaskQuestion & { readonly _meta?: JsonObject },
  noLonger?: AbortSignal,
) => Promise<PersonSaid | 'busy' | undefined>;

/** What a person agrees to or not, and fills in nothing. */
export const emptyForm: JsonObject = { type: 'object', properties: {} };

/** For each call the way to ask the person before the client, where the client offers one (elicitation). */
export function personAsker(
  server: Server,
  { gone, log }: { readonly gone?: AbortSignal; readonly log: (line: string) => void },
): (call: RequestId, cancelled: AbortSignal) => AskForm | undefined {
  let asking = false;
  return (call, cancelled) => {
    if (server.getClientCapabilities()?.elicitation?.form === undefined) return undefined;
    return async ({ message, requestedSchema, _meta }, noLonger) => {
      // One question at a time: calls made at once would pile them up before one person.
      if (asking) return 'busy';
      asking = true;
      try {
        const said = await server.request(
          {
            method: 'elicitation/create',
            params: { mode: 'form', message, requestedSchema, ...(_meta && { _meta }) },
          },
          anything,
          {
            relatedRequestId: call,
            signal: AbortSignal.any([cancelled, gone, noLonger].filter((signal) => signal !== undefined)),
            timeout: limits.personWaitMs,
          },
        );
        return personSaid(said);
      } catch (cause) {
        if (noLonger?.aborted !== true)
          log(`the person was asked through the client and gave no answer: ${errorText(cause)}`);
        return undefined;
      } finally {
        asking = false;
      }
    };
  };
}

/** What came back of a form, where it is what a form gives back. */
export function personSaid(said: unknown): PersonSaid | undefined {
  if (!isJsonObject(said)) return undefined;
  const { action, content = {} } = said;
  if (action === 'accept') return isJsonObject(content) ? { action, content } : undefined;
  return action === 'decline' || action === 'cancel' ? { action } : undefined;
}
