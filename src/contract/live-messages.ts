import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { flag, sessionId, text } from './described.js';
import { eventBatch } from './event-told.js';
import { sessionListed } from './session-list.js';

/**
 * Messages of the live streams, by the name of their event.
 * GET /api/events (all sessions) sends `ready`, `session`, `stopped` and `dropped`;
 * GET /api/sessions/:id/live (one) sends `ready`, `events`, `stopped` and `dropped`. The browser resumes both by itself.
 */
export const liveMessages = {
  ready: z
    .strictObject({
      reset: flag('Whether what was missed is not known any more, so that what is shown is to be asked for again'),
    })
    .describe('First of all'),
  session: z
    .strictObject({
      sessionId,
      gone: flag('Whether it is gone'),
      head: sessionListed.describe('The session as it is now').exactOptional(),
    })
    .describe('A session is new, has changed or is gone'),
  events: eventBatch.describe('What was appended or merged'),
  stopped: z.strictObject({ message: text('What to do') }).describe('The server ends'),
  dropped: z
    .strictObject({ message: text('What to do') })
    .describe('Whoever reads too slowly is sent away; what is missed comes with the next connection'),
} as const;
export type LiveMessages = { readonly [K in keyof typeof liveMessages]: ReadonlyOutput<(typeof liveMessages)[K]> };
