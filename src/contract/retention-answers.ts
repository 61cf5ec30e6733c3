import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { count, flag, sessionId, text } from './described.js';
import type { PruneEntry } from './prune-answers.js';

const retentionRun = z.strictObject({
  at: text('When, in ISO 8601'),
  afterDays: count('How many days nobody had worked on them or viewed them'),
  moved: z
    .array(z.strictObject({ sessionId, about: text('Name of the session') }))
    .describe('Sessions moved to the trash of this data folder, longest unused first'),
  more: count('How many more were moved'),
});
export type RetentionRun = ReadonlyOutput<typeof retentionRun>;

/** What is kept of it at one data root. */
export const retentionKept = z.strictObject({ checkedAt: z.string().exactOptional(), runs: z.array(retentionRun) });
export type RetentionKept = ReadonlyOutput<typeof retentionKept>;

export const retentionTold = z.strictObject({
  acts: flag('Whether servers move finished sessions to the trash automatically'),
  afterDays: count('For how many days nobody must have worked on one or viewed it'),
  file: text('The file where this is configured'),
  places: z
    .array(
      z.strictObject({
        folder: text('The data folder'),
        inGit: flag('It is in a git work tree, so nothing is moved out of it automatically'),
        checkedAt: text('When a server last checked it, in ISO 8601').exactOptional(),
        runs: z.array(retentionRun).describe('When sessions were moved, newest first'),
      }),
    )
    .describe('Each data folder in use'),
});
export type RetentionTold = ReadonlyOutput<typeof retentionTold>;

export interface RetentionAnswer extends RetentionTold {
  /** Whether this call changed anything. */
  readonly changed: boolean;
  /** What would go, were it to act now; the longest unused first. */
  readonly due: readonly PruneEntry[];
}
