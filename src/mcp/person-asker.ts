import type { RequestId, Server } from '@modelcontextprotocol/server';
import { errorText } from '../base/error-text.js';
import { limits } from '../base/limits.js';
import type { AskPerson } from '../requests/world/environment.js';

/** For each call the way to ask the person before the client, where the client offers one (elicitation). */
export function personAsker(
  server: Server,
  { gone, log }: { readonly gone?: AbortSignal; readonly log: (line: string) => void },
): (call: RequestId, cancelled: AbortSignal) => AskPerson | undefined {
  let asking = false;
  return (call, cancelled) => {
    if (server.getClientCapabilities()?.elicitation?.form === undefined) return undefined;
    return async (message) => {
      // One question at a time: calls made at once would pile them up before one person.
      if (asking) return false;
      asking = true;
      try {
        const { action } = await server.elicitInput(
          { message, requestedSchema: { type: 'object', properties: {} } },
          {
            relatedRequestId: call,
            signal: gone === undefined ? cancelled : AbortSignal.any([cancelled, gone]),
            timeout: limits.personWaitMs,
          },
        );
        return action === 'accept';
      } catch (cause) {
        log(`the person was asked through the client and gave no answer: ${errorText(cause)}`);
        return false;
      } finally {
        asking = false;
      }
    };
  };
}
