import { z } from 'zod';
import { sessionId, text } from './described.js';

export const unreadable = z
  .array(
    z.strictObject({
      sessionId: sessionId.exactOptional(),
      folder: text('Its data folder'),
      message: text('Why it cannot be read'),
    }),
  )
  .describe('Sessions that cannot be read at all; without an ID, a data folder whose sessions cannot be listed');
