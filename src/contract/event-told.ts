import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { at, count, eventSum, flag, jsonObject, nodeId, runId, sessionId, text, texts } from './described.js';
import { findingTold } from './session-story.js';

/** One event of a session's log. */
const eventTold = z.strictObject({
  seq: count('Its position in the session’s total order'),
  at,
  kind: text('Kind of event'),
  says: text('What it says, in one line'),
  details: texts('Details, one line each'),
  event: eventSum,
  by: text('Who wrote it'),
  runId: runId.exactOptional(),
  nodeId: nodeId.exactOptional(),
  file: text('The file that contains it, relative to the session’s folder'),
  line: count('The line in it'),
  merged: z
    .literal(true)
    .describe(
      'True for merged work: older by the clock than another writer’s events before it, or arrived after events that sort after it',
    )
    .exactOptional(),
  data: jsonObject('As recorded'),
});
export type EventTold = ReadonlyOutput<typeof eventTold>;

const events = z.array(eventTold).describe('Events, in the order they arrived');
const findings = z.array(findingTold).describe('Files that cannot be read further, each listed once');
const upToDate = flag('Whether everything recorded before the request has been sent');

/** Part of a session's log, as somebody who follows it gets it. */
export const eventBatch = z.strictObject({
  events,
  findings,
  gone: flag('Whether the session has disappeared from its folder; it may come back'),
  upToDate,
  position: text('Where this batch ends; send it to continue after it'),
});
export type EventBatch = ReadonlyOutput<typeof eventBatch>;

/** GET /api/sessions/:id/events: whole batches, as many as come to `limit` or just over it. */
export const eventsPage = z.strictObject({
  sessionId,
  events,
  findings,
  upToDate,
  position: text('The value of from for the next page, and for live'),
});
export type EventsPage = ReadonlyOutput<typeof eventsPage>;
