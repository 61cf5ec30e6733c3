import type { JsonObject } from '../base/json-value.js';
import type { EventData } from '../events/event-data.js';

/** What a command left, as expressions read it. */
export const cameBackOf = ({
  status = 0,
  headers = {},
  body = null,
  outcome,
}: EventData<'command_done'>): JsonObject => ({ status, headers, body, ok: outcome === 'ok' });
