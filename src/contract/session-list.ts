import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { count, flag, lastAt, runId, runStatus, sessionId, startedAt, text, texts } from './described.js';
import { dataPlace, sessionHead } from './session-story.js';

/** One session in a list: enough to know it again. */
export const sessionListed = z.strictObject({
  sessionId,
  key: text('Key of the workstream').exactOptional(),
  title: text('Its title').exactOptional(),
  about: text('What it is about where it has no title: its key, what it was given, or how its notes begin'),
  tags: texts('Its tags'),
  keep: flag('Whether it is marked to be kept for ever'),
  place: dataPlace,
  folder: text('Folder of the data root that it lies in'),
  startedAt,
  lastAt,
  run: z
    .strictObject({
      runId,
      workflowId: text('Id of its workflow'),
      workflowTitle: text('Title of its workflow'),
      status: runStatus,
      pending: z.string().nullable().describe('Title of the step that is awaited; null at the end'),
    })
    .describe('The run that was worked on last; absent in a session that holds notes alone')
    .exactOptional(),
  runs: count('How many runs it has'),
  branches: count('How many tips its runs have'),
  openGaps: count('How many gaps are open where the runs’ preferred tips stand'),
  eventCount: count('How many events it has'),
  branch: text('Branch of the repository, as last seen').exactOptional(),
  repository: text('Name of the repository, as last seen').exactOptional(),
  trouble: sessionHead.shape.trouble,
  why: text('How it matches the words that were asked for').exactOptional(),
});
export type SessionListed = ReadonlyOutput<typeof sessionListed>;

/** GET /api/sessions */
export const sessionsPage = z.strictObject({
  sessions: z.array(sessionListed).describe('The newest work first; with a query, the closest match first'),
  found: count('How many there are, shown or not'),
  here: count('How many sessions are here, whether or not they match'),
  nextCursor: text('Where the next page begins').exactOptional(),
  unreadable: z
    .array(
      z.strictObject({
        sessionId: sessionId.exactOptional(),
        folder: text('Folder of the data root that it lies in'),
        message: text('Why it cannot be read'),
      }),
    )
    .describe('Sessions that cannot be read at all; without an id, a data root whose sessions cannot even be listed'),
  reading: z
    .strictObject({ done: count('How many are read'), of: count('How many there are') })
    .describe(
      'While the server reads what is here for the first time: how far it has come, the newest first. What is not read yet is not listed',
    )
    .exactOptional(),
});
export type SessionsPage = ReadonlyOutput<typeof sessionsPage>;
export type SessionList = Omit<SessionsPage, 'reading'>;
