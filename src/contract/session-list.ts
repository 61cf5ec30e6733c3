import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import {
  agentName,
  count,
  flag,
  lastAt,
  nodeId,
  runId,
  runStatus,
  sessionId,
  startedAt,
  text,
  texts,
} from './described.js';
import { dataPlace, sessionHead } from './session-story.js';
import { usageTold } from './usage-told.js';

/** Where words that were searched for stand in a session. */
const sessionHit = z.strictObject({
  where: text('The step or note that has them'),
  words: texts('Which of the words are there, as compared'),
  quote: text('The text around the first of them'),
  runId: runId.exactOptional(),
  nodeId: nodeId.describe('Node of the step where it was recorded; absent for what belongs to no run').exactOptional(),
});
export type SessionHit = ReadonlyOutput<typeof sessionHit>;

const hits = z.array(sessionHit).describe('Where the words of the search are, newest first');
/** GET /api/sessions/{session}/hits */
export const sessionHits = z.strictObject({ sessionId, hits });
export type SessionHits = ReadonlyOutput<typeof sessionHits>;

/** One session in a list: enough to know it again. */
export const sessionListed = z.strictObject({
  sessionId,
  key: text('Key of the workstream').exactOptional(),
  title: text('Its title').exactOptional(),
  about: text('What it is called: its title, what its first run was given, its key, or how its notes begin'),
  tags: texts('Its tags'),
  keep: flag('Whether it is marked as never pruned'),
  place: dataPlace,
  folder: text('Folder of its data root'),
  startedAt,
  lastAt,
  run: z
    .strictObject({
      runId,
      workflowId: text('Id of its workflow'),
      workflowTitle: text('Title of its workflow'),
      status: runStatus,
      pending: z.string().nullable().describe('Title of the step that is awaited; null at the end'),
      openBranches: count('How many other branches of it wait for a step'),
      number: count('Which of the session’s runs it is, counted from 1 in the order they were started'),
    })
    .describe('The run that waits, or else the one worked on last; absent in a session that holds notes alone')
    .exactOptional(),
  last: z
    .strictObject({ step: text('Title of the step'), said: text('How its notes begin, as one line of words') })
    .describe('What was handed in last on the way to where that run stands; absent without notes')
    .exactOptional(),
  runs: count('How many runs it has'),
  branches: count('How many tips its runs have'),
  openGaps: count('How many gaps are open where the runs’ preferred tips stand'),
  eventCount: count('How many events it has'),
  branch: text('Branch of the repository, as last seen').exactOptional(),
  repository: text('Name of the repository, as last seen').exactOptional(),
  trouble: sessionHead.shape.trouble,
  took: count(
    'Milliseconds that its runs took, from the start of each to its last work; where two ran at once, once. Absent without a run',
  ).exactOptional(),
  waited: count('Milliseconds of them that a step waited for a person; absent for none').exactOptional(),
  usage: usageTold
    .describe('What its runs used, and what was told beside them; absent where nobody told')
    .exactOptional(),
  waitsSince: text('Since when a step of it waits for the user, in ISO 8601; absent where none does').exactOptional(),
  finished: z
    .literal(true)
    .describe('All that was begun in it is done, on every branch; absent where something is not')
    .exactOptional(),
  goesAt: text(
    'When it goes to the trash by itself unless somebody works on it or looks at it, in ISO 8601; absent where that is not soon, or not switched on',
  ).exactOptional(),
  askedBy: agentName
    .describe('The program that handed that in, as it names itself; absent where that is not known on this machine')
    .exactOptional(),
  why: text('How it matches the words that were asked for').exactOptional(),
  hits: hits.exactOptional(),
});
export type SessionListed = ReadonlyOutput<typeof sessionListed>;

const valueCounted = z.strictObject({
  value: text('As it is written after the colon'),
  count: count('How many sessions have it'),
});
const values = (of: string): z.ZodArray<typeof valueCounted> =>
  z.array(valueCounted).describe(`${of}, the most frequent first`);
/** By what the sessions here can be filtered. */
const filters = z.strictObject({
  workflow: values('Workflows of their runs'),
  branch: values('Branches that they were seen on'),
  label: values('Their tags'),
});
export type FilterValues = ReadonlyOutput<typeof filters>;

export const sessionsReading = z
  .strictObject({ done: count('How many are read'), of: count('How many there are') })
  .describe(
    'While the server reads what is here for the first time: how far it has come, the newest first. What is not read yet is not listed',
  );

/** GET /api/sessions */
export const sessionsPage = z.strictObject({
  sessions: z
    .array(sessionListed)
    .describe('The newest work first; with words, the closest match first; or in the order that the query asks for'),
  found: count('How many match, shown or not'),
  here: count('How many sessions there are, whether or not they match'),
  nextCursor: text('Where the next page begins').exactOptional(),
  told: texts('What part of the query was left out or searched as a word, and why').exactOptional(),
  filters: filters.describe('On the first page: by what the sessions here can be filtered').exactOptional(),
  unreadable: z
    .array(
      z.strictObject({
        sessionId: sessionId.exactOptional(),
        folder: text('Folder of its data root'),
        message: text('Why it cannot be read'),
      }),
    )
    .describe('Sessions that cannot be read at all; without an id, a data root whose sessions cannot even be listed'),
  reading: sessionsReading.exactOptional(),
});
export type SessionsPage = ReadonlyOutput<typeof sessionsPage>;
export type SessionList = Omit<SessionsPage, 'reading' | 'filters'>;
