import { z } from 'zod';
import { answerKinds } from '../base/closed-sets.js';
import { modeNames } from '../base/preferences.js';
import { preferencesSchema } from '../base/preferences-schema.js';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { eventSum, flag, jsonValue, sessionId, text, texts } from './described.js';

/** POST /api/sessions/:id/notes */
export const noteBody = z.strictObject({
  text: text('What to write down'),
  node: z.string().max(100).describe('Id of the node to write it at; without one, the session itself').exactOptional(),
});
export type NoteBody = ReadonlyOutput<typeof noteBody>;

/** POST /api/sessions/:id/answers */
export const answerBody = z.strictObject({
  block: eventSum,
  question: text('Which question of it is answered, as it is told: /confirmed, /context/KEY or /output/gaps/N'),
  answer: z.enum(answerKinds).describe('agreed, refused, value or file'),
  value: jsonValue('The value, or the path of the file within the workspace; without one for a secret').exactOptional(),
  reason: text('Why not, or what is said in words').exactOptional(),
});
export type AnswerBody = ReadonlyOutput<typeof answerBody>;

/** POST /api/sessions/:id/labels: what is not named stays as it is. */
export const labelsBody = z.strictObject({
  title: text('Its title').exactOptional(),
  tags: texts('Its tags').exactOptional(),
  keep: flag('Whether it is to be kept for ever').exactOptional(),
});
export type LabelsBody = ReadonlyOutput<typeof labelsBody>;

/** POST /api/preferences, and of a session: a mode sets all four, single values overrule it. */
export const preferencesBody = z.strictObject({
  mode: z.enum(modeNames).describe('A name for one value of each').exactOptional(),
  autonomy: preferencesSchema.shape.autonomy.exactOptional(),
  gateHandling: preferencesSchema.shape.gateHandling.exactOptional(),
  assumptionPolicy: preferencesSchema.shape.assumptionPolicy.exactOptional(),
  riskPolicy: preferencesSchema.shape.riskPolicy.exactOptional(),
});
/** POST /api/sessions/:id/preferences */
export const sessionPreferencesBody = preferencesBody.extend({
  node: z
    .string()
    .max(100)
    .describe('Id of a node whose step waits: only from there on; without one, where the work stands, and new runs')
    .exactOptional(),
});
export type SessionPreferencesBody = ReadonlyOutput<typeof sessionPreferencesBody>;

export type PreferencesBody = ReadonlyOutput<typeof preferencesBody>;

/** POST /api/prune */
export const pruneBody = z.strictObject({
  dryRun: flag('Only say what would be taken away: so it is unless this is false').exactOptional(),
  olderThanDays: z
    .number()
    .int()
    .min(0)
    .max(36_500)
    .describe('How many days ago a session must have been worked on last')
    .exactOptional(),
  keep: texts('Sessions to leave').exactOptional(),
  unsound: flag('Take damaged ones too').exactOptional(),
  only: z
    .array(z.strictObject({ sessionId, folder: text('Folder of its data root') }))
    .describe('Only these, which somebody has been shown')
    .exactOptional(),
});
export type PruneBody = ReadonlyOutput<typeof pruneBody>;
