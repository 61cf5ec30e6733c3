import { z } from 'zod';
import { answerKinds } from '../base/closed-sets.js';
import { limits } from '../base/limits.js';
import { modeNames } from '../base/preferences.js';
import { preferencesSchema } from '../base/preferences-schema.js';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { eventSum, flag, jsonObject, jsonValue, sessionId, text, texts } from './described.js';

/** POST /api/sessions/:id/notes */
export const noteBody = z.strictObject({
  text: text('Text of the note'),
  node: z.string().max(100).describe('ID of the node to add it to; default: the session itself').exactOptional(),
});
export type NoteBody = ReadonlyOutput<typeof noteBody>;

/** POST /api/sessions/:id/answers */
export const answerBody = z.strictObject({
  block: eventSum,
  question: text('The question to answer: /confirmed, /context/KEY or /output/gaps/N'),
  answer: z.enum(answerKinds).describe('agreed, refused, value or file'),
  value: jsonValue('The value, or the path of the file in the workspace; absent for a secret').exactOptional(),
  reason: text('Why not, or a comment').exactOptional(),
});
export type AnswerBody = ReadonlyOutput<typeof answerBody>;

/** POST /api/sessions/:id/labels: what is not named stays as it is. */
export const labelsBody = z.strictObject({
  title: text('Its title').exactOptional(),
  tags: texts('Its tags').exactOptional(),
  keep: flag('Whether it is never pruned').exactOptional(),
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
    .describe(
      'ID of a node with a pending step: changes only that step and those after it; default: the pending step of the session, and new runs',
    )
    .exactOptional(),
});
export type SessionPreferencesBody = ReadonlyOutput<typeof sessionPreferencesBody>;

export type PreferencesBody = ReadonlyOutput<typeof preferencesBody>;

/** POST /api/workflows/:id/choices */
export const choicesBody = z.strictObject({
  input: z.string().min(1).max(200).describe('Name of an input that has a provider'),
  inputs: jsonObject('Values of the other inputs, by name, for a provider that reads them').exactOptional(),
  query: z.string().max(limits.query).describe('Words to search for').exactOptional(),
});
export type ChoicesBody = ReadonlyOutput<typeof choicesBody>;

/** POST /api/catalogs/:id/enabled */
export const catalogEnabledBody = z.strictObject({ enabled: flag('Whether workflows may use its commands') });

/** POST /api/catalogs/:id/remove */
export const catalogRemoveBody = z.strictObject({
  revision: text('Its revision as the person has seen it: another one is not removed'),
  document: flag('Also remove its document; otherwise it stays for a later import').exactOptional(),
});
export type CatalogRemoveBody = ReadonlyOutput<typeof catalogRemoveBody>;

/** POST /api/prune */
export const pruneBody = z.strictObject({
  dryRun: flag('Only preview what would be pruned; default: true').exactOptional(),
  olderThanDays: z
    .number()
    .int()
    .min(0)
    .max(36_500)
    .describe('Minimum number of days since the last activity')
    .exactOptional(),
  keep: texts('Sessions to keep').exactOptional(),
  unsound: flag('Also prune damaged sessions').exactOptional(),
  only: z
    .array(z.strictObject({ sessionId, folder: text('Its data folder') }))
    .describe('Prune only these sessions, which a person has seen in a preview')
    .exactOptional(),
});
export type PruneBody = ReadonlyOutput<typeof pruneBody>;
