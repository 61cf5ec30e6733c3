import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { flag, sessionId, text } from './described.js';
import { eventBatch } from './event-told.js';
import { stateMessages } from './state-messages.js';
import { sessionListed } from './session-list.js';

/**
 * Messages of the live streams, by the name of their event.
 * GET /api/events (all sessions) sends `ready`, `session`, `stopped` and `dropped`;
 * GET /api/sessions/:id/live (one) sends `ready`, `events`, `stopped` and `dropped`.
 * GET /workflow-states/:id/stream sends `ready`, those of states, `stopped` and `dropped`. The browser resumes both by itself.
 */
export const liveMessages = {
  ready: z
    .strictObject({
      reset: flag('True if the missed events are no longer known: fetch everything again'),
    })
    .describe('The first message'),
  session: z
    .strictObject({
      sessionId,
      gone: flag('True if it is gone'),
      head: sessionListed.describe('The session as it is now').exactOptional(),
    })
    .describe('A session was added, changed or removed'),
  events: eventBatch.describe('What was appended or merged'),
  stopped: z.strictObject({ message: text('What to do') }).describe('The server is stopping'),
  dropped: z
    .strictObject({ message: text('What to do') })
    .describe('The client reads too slowly and is disconnected; the next connection gets what it missed'),
  ...stateMessages,
} as const;
export type LiveMessages = { readonly [K in keyof typeof liveMessages]: ReadonlyOutput<(typeof liveMessages)[K]> };
