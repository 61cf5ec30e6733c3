import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { count, flag, lastAt, sessionId, text } from './described.js';
import { dataPlace } from './session-story.js';

/** One session that retention speaks of. */
const pruneEntry = z.strictObject({
  sessionId,
  about: text('What it is about'),
  place: dataPlace,
  folder: text('Folder of its data root'),
  lastAt,
  bytes: count('How much it takes on disk'),
});
export type PruneEntry = ReadonlyOutput<typeof pruneEntry>;

export const pruneAnswer = z.strictObject({
  before: text('What was worked on since then stays'),
  dryRun: flag('Whether nothing was taken away'),
  pruned: z.array(pruneEntry).describe('What is, or on a dry run would be, taken away; the longest unused first'),
  spared: z
    .array(
      z.strictObject({
        ...pruneEntry.shape,
        why: z
          .enum(['kept', 'named', 'unsound', 'used', 'failed'])
          .describe(
            'Marked to be kept for ever; named by this call; damaged or not whole; worked on just now; or it could not be moved',
          ),
        message: text('The same in words'),
      }),
    )
    .describe('Old enough, and left where it is'),
  trash: z
    .strictObject({ sessions: count('How many sessions'), bytes: count('How much they take on disk') })
    .describe('What earlier runs took away; this one deleted it, or on a dry run would'),
  inGit: flag('Whether a root lies in a git work tree: what was committed of a session stays in git’s history'),
});
export type PruneAnswer = ReadonlyOutput<typeof pruneAnswer>;
