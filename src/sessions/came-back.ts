import type { JsonObject } from '../base/json-value.js';
import type { EventData } from '../events/event-data.js';

/** What a command left, as expressions read it. Where its body is not in the log, it says where that is. */
export function cameBack(done: EventData<'command_done'>): JsonObject {
  const { status = 0, headers = {}, body = null, file, noBody, outcome, call, of } = done;
  const ok = outcome === 'ok';
  if (file !== undefined) return { status, headers, file: { ...file }, ok };
  if (noBody === 'secret') return { status, headers, noBody, call: of ?? call, ok };
  return { status, headers, ...(noBody === undefined ? { body } : { noBody }), ok };
}
