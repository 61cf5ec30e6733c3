import { z } from 'zod';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { preferencesSchema } from '../base/preferences.js';
import type {
  CheckpointStory,
  DocumentStory,
  EdgeStory,
  FindingTold,
  GapStory,
  NodeStory,
  NoteStory,
  OutputStory,
} from './session-story.js';

/** Somebody's own JSON, described by nothing but that. */
export const jsonObject = z
  .custom<JsonObject>(isJsonObject, 'expected an object')
  .meta({ type: 'object', additionalProperties: true });
export const jsonValue = z
  .custom<JsonValue>((value) => value !== undefined, 'expected a value')
  .meta({ description: 'any JSON value' });
export const count = z.number().int().min(0);
/** A moment, as who wrote it had it. */
export const moment = z.string();
export const status = z.enum(['in_progress', 'blocked', 'complete', 'complete_with_gaps']);
export const place = z.enum(['given', 'project', 'user']);

export const finding: z.ZodType<FindingTold> = z.strictObject({
  level: z.enum(['torn', 'incomplete', 'damage', 'newer']),
  file: z.string(),
  line: count.exactOptional(),
  byte: count.exactOptional(),
  message: z.string(),
  remedy: z.string(),
});

export const warning = z.strictObject({ code: z.string(), message: z.string(), path: z.string().exactOptional() });

export const outputStory: z.ZodType<OutputStory> = z.strictObject({
  notes: z.string().exactOptional(),
  artifacts: z.array(jsonObject),
});

export const gapStory: z.ZodType<GapStory> = z.strictObject({
  id: z.string(),
  category: z.string(),
  reason: z.string(),
  detail: z.string(),
  severity: z.string(),
  assumption: z.string().exactOptional(),
  resolves: z.string().exactOptional(),
  resolved: z.boolean(),
  path: z.string(),
});

export const noteStory: z.ZodType<NoteStory> = z.strictObject({ event: z.string(), at: moment, text: z.string() });

export const checkpointStory: z.ZodType<CheckpointStory> = z.strictObject({
  event: z.string(),
  at: moment,
  output: outputStory,
  gaps: z.array(gapStory),
  late: z.boolean(),
});

export const edgeStory: z.ZodType<EdgeStory> = z.strictObject({
  event: z.string(),
  at: moment,
  kind: z.enum(['started', 'acked']),
  step: z.strictObject({ path: z.string(), title: z.string() }).exactOptional(),
  output: outputStory,
  context: jsonObject,
  confirmed: z.boolean(),
  gaps: z.array(gapStory),
  warnings: z.array(warning),
  skipped: z.array(z.strictObject({ path: z.string(), title: z.string(), reason: z.string() })),
});

export const nodeStory: z.ZodType<NodeStory> = z.strictObject({
  nodeId: z.string(),
  parent: z.string().exactOptional(),
  depth: count,
  pending: z.strictObject({ stepId: z.string(), path: z.string(), title: z.string() }).exactOptional(),
  status,
  isTip: z.boolean(),
  isPreferredTip: z.boolean(),
  onPreferredPath: z.boolean(),
  whole: z.boolean(),
  children: z.array(z.string()),
  cameBy: edgeStory,
  checkpoints: z.array(checkpointStory),
  notes: z.array(noteStory),
  blocks: z.array(
    z.strictObject({
      event: z.string(),
      at: moment,
      blockers: z.array(z.strictObject({ code: z.string(), message: z.string(), fix: z.string() })),
    }),
  ),
  preferences: preferencesSchema,
  preferencesChanged: z.boolean(),
});

export const documentStory: z.ZodType<DocumentStory> = z.strictObject({
  name: z.string(),
  fold: z.enum(['header', 'table', 'log', 'list']),
  header: jsonObject.exactOptional(),
  rows: z.array(jsonObject).exactOptional(),
  entries: z.array(jsonObject).exactOptional(),
  from: z.array(z.string()),
  leftOut: count,
});

export const workflowOfRun = z.strictObject({
  id: z.string(),
  title: z.string(),
  version: z.string(),
  hash: z.string(),
});
