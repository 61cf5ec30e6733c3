import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { count, flag, lastAt, sessionId, text } from './described.js';
import { dataPlace } from './session-story.js';

/** One session that retention speaks of. */
const pruneEntry = z.strictObject({
  sessionId,
  about: text('Name of the session'),
  place: dataPlace,
  folder: text('Its data folder'),
  lastAt,
  bytes: count('Size on disk'),
});
export type PruneEntry = ReadonlyOutput<typeof pruneEntry>;

export const pruneAnswer = z.strictObject({
  before: text('Sessions with activity since then stay'),
  dryRun: flag('Whether this was only a preview'),
  pruned: z.array(pruneEntry).describe('Sessions that were pruned, or in a preview would be; longest unused first'),
  spared: z
    .array(
      z.strictObject({
        ...pruneEntry.shape,
        why: z
          .enum(['kept', 'named', 'unsound', 'used', 'failed'])
          .describe(
            'Marked as never pruned; kept by this call; damaged or incomplete; in use right now; or it could not be moved',
          ),
        message: text('The same in words'),
      }),
    )
    .describe('Old enough, but kept'),
  trash: z
    .strictObject({ sessions: count('How many sessions'), bytes: count('Their size on disk') })
    .describe('Sessions pruned earlier that this run deleted, or in a preview would delete'),
  inGit: flag('Whether a data folder is in a git work tree: committed files stay in git’s history'),
});
export type PruneAnswer = ReadonlyOutput<typeof pruneAnswer>;
