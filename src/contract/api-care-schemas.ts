import { z } from 'zod';
import { count, jsonObject, moment, place, warning } from './api-story-schemas.js';
import type { BundleImported } from './bundle-answers.js';
import type { NoteTold } from './people-answers.js';
import type { DoctorReport } from './doctor-answers.js';
import type { LabelsBody, NoteBody, PruneBody } from './http-api.js';
import type { PruneAnswer, PruneEntry } from './prune-answers.js';
import type { SessionLabelled } from './session-moved.js';

const doctorReport: z.ZodType<DoctorReport> = z.strictObject({
  roots: z.array(z.strictObject({ folder: z.string(), place, sessions: count })),
  sessions: count,
  events: count,
  findings: z.array(
    z.strictObject({
      level: z.enum(['torn', 'incomplete', 'damage', 'newer', 'returned', 'note']),
      folder: z.string(),
      session: z.string().exactOptional(),
      file: z.string(),
      line: count.exactOptional(),
      byte: count.exactOptional(),
      message: z.string(),
      remedy: z.string(),
    }),
  ),
  repairs: z.array(
    z.strictObject({
      session: z.string(),
      folder: z.string(),
      files: z.array(
        z.strictObject({
          file: z.string(),
          did: z.enum(['mended', 'restored', 'moved']),
          quarantined: z.string(),
          kept: count,
          lost: z.array(z.string()),
        }),
      ),
      rescued: count,
      withdrawn: z.strictObject({ damaged: count, lost: count }),
      refused: z.strictObject({ code: z.string(), message: z.string() }).exactOptional(),
    }),
  ),
  sound: z.boolean(),
});

const pruneEntryFields = {
  sessionId: z.string(),
  about: z.string(),
  place,
  folder: z.string(),
  lastAt: moment,
  bytes: count,
};
const pruneEntry: z.ZodType<PruneEntry> = z.strictObject(pruneEntryFields);
const pruneAnswer: z.ZodType<PruneAnswer> = z.strictObject({
  before: moment,
  dryRun: z.boolean(),
  pruned: z.array(pruneEntry),
  spared: z.array(
    z.strictObject({
      ...pruneEntryFields,
      why: z.enum(['kept', 'named', 'unsound', 'used', 'failed']),
      message: z.string(),
    }),
  ),
  trash: z.strictObject({ sessions: count, bytes: count }),
  inGit: z.boolean(),
});

const bundleImported: z.ZodType<BundleImported> = z.strictObject({
  outcome: z.enum(['imported', 'imported_as_new', 'merged', 'already_here']),
  sessionId: z.string(),
  place,
  bundle: z.strictObject({
    bundleId: z.string(),
    exportedAs: z.string(),
    key: z.string().exactOptional(),
    title: z.string().exactOptional(),
    producer: z.string(),
    lines: count,
    runs: count,
    segments: count,
    pins: count,
    bytes: count,
  }),
  merged: z.strictObject({ added: count, grown: count }).exactOptional(),
  resume: jsonObject,
  warnings: z.array(z.string()),
});

const noteTold: z.ZodType<NoteTold> = z.strictObject({
  sessionId: z.string(),
  node: z.strictObject({ nodeId: z.string(), title: z.string() }).exactOptional(),
  event: z.string(),
  at: moment,
  text: z.string(),
  added: z.boolean(),
  warnings: z.array(warning),
});

const sessionLabelled: z.ZodType<SessionLabelled> = z.strictObject({
  sessionId: z.string(),
  title: z.string().exactOptional(),
  tags: z.array(z.string()),
  keep: z.boolean(),
  changed: z.boolean(),
});

/** What the API answers where a session is cared for. */
export const careAnswers = { doctorReport, pruneAnswer, bundleImported, noteTold, sessionLabelled };

const noteBody: z.ZodType<NoteBody> = z.strictObject({ text: z.string(), node: z.string().max(100).exactOptional() });
const labelsBody: z.ZodType<LabelsBody> = z.strictObject({
  title: z.string().exactOptional(),
  tags: z.array(z.string()).exactOptional(),
  keep: z.boolean().exactOptional(),
});
const pruneBody: z.ZodType<PruneBody> = z.strictObject({
  dryRun: z.boolean().exactOptional(),
  olderThanDays: z.number().int().min(0).max(36_500).exactOptional(),
  keep: z.array(z.string()).exactOptional(),
  unsound: z.boolean().exactOptional(),
  only: z.array(z.strictObject({ sessionId: z.string(), folder: z.string() })).exactOptional(),
});

/** What the API takes as JSON. */
export const apiBodies = { noteBody, labelsBody, pruneBody };
