import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { unreadable } from './unreadable-told.js';
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
import { longestStep, usageTold } from './usage-told.js';

/** Where words that were searched for stand in a session. */
const sessionHit = z.strictObject({
  where: text('The step or note that contains them'),
  words: texts('Which of the words it contains, as compared'),
  quote: text('The text around the first of them'),
  runId: runId.exactOptional(),
  nodeId: nodeId.describe('Node of its step; absent if it belongs to no run').exactOptional(),
});
export type SessionHit = ReadonlyOutput<typeof sessionHit>;

const hits = z.array(sessionHit).describe('Where the words of the search were found, newest first');
/** GET /api/sessions/{session}/hits */
export const sessionHits = z.strictObject({ sessionId, hits });
export type SessionHits = ReadonlyOutput<typeof sessionHits>;

const stateBrief = z
  .strictObject({
    state_id: text('ID of the state'),
    schema_name: text('Name of its schema'),
    schema_version: count('Version of its schema'),
    version: count('Its newest version'),
    status: z.enum(['open', 'closed']).describe('Whether it can be written'),
    conflicts: count('How many changes could not be merged, and wait to be settled'),
  })
  .describe('Its shared state, without the document; absent if it has none');
export type StateBrief = ReadonlyOutput<typeof stateBrief>;

/** One session in a list: enough to know it again. */
export const sessionListed = z.strictObject({
  sessionId,
  key: text('Key of the session, such as a ticket').exactOptional(),
  title: text('Its title').exactOptional(),
  about: text('Its name: its title, its first run’s input, its key, or the start of its notes'),
  tags: texts('Its tags'),
  keep: flag('Whether it is marked as never pruned'),
  place: dataPlace,
  folder: text('Its data folder'),
  startedAt,
  lastAt,
  run: z
    .strictObject({
      runId,
      workflowId: text('ID of its workflow'),
      workflowTitle: text('Title of its workflow'),
      status: runStatus,
      pending: z.string().nullable().describe('Title of the pending step; null at the end'),
      openBranches: count('How many of its other branches have a pending step'),
      number: count('Number of the run in the session, from 1, in the order they started'),
    })
    .describe('The waiting run, else the one worked on last; absent in a session with notes only')
    .exactOptional(),
  last: z
    .strictObject({ step: text('Title of the step'), said: text('How its notes begin, as one line of words') })
    .describe('What was handed in last on the way to where that run stands; absent without notes')
    .exactOptional(),
  runs: count('How many runs it has'),
  branches: count('How many tips its runs have'),
  openGaps: count('How many gaps are open at the preferred tips of its runs'),
  eventCount: count('How many events it has'),
  branch: text('Branch of the repository, as last seen').exactOptional(),
  repository: text('Name of the repository, as last seen').exactOptional(),
  trouble: sessionHead.shape.trouble,
  state: stateBrief.exactOptional(),
  took: count(
    'How many milliseconds its runs took, from the start of each to its last work, counting overlaps once; absent without a run',
  ).exactOptional(),
  waited: count('How many of these milliseconds a step waited for a person; absent if none').exactOptional(),
  longest: z
    .strictObject({ runId, ...longestStep.shape })
    .describe(
      'The step of all its runs that took longest, on any branch, not counting waits for a person; absent if none took a second',
    )
    .exactOptional(),
  usage: usageTold.describe('What its runs used, and other usage reported in it; absent if unknown').exactOptional(),
  waitsSince: text('Since when a step has been waiting for the user, in ISO 8601; absent if none is').exactOptional(),
  finished: z
    .literal(true)
    .describe('True if everything started in it is done, on every branch; else absent')
    .exactOptional(),
  goesAt: text(
    'When it will be moved to the trash unless someone works on it or views it, in ISO 8601; absent if that is not soon, or retention is off',
  ).exactOptional(),
  askedBy: agentName
    .describe('The program that asked, by the name it gives itself; absent if unknown on this machine')
    .exactOptional(),
  why: text('How it matches the words of the search').exactOptional(),
  hits: hits.exactOptional(),
});
export type SessionListed = ReadonlyOutput<typeof sessionListed>;

const valueCounted = z.strictObject({
  value: text('The value to write after the colon'),
  count: count('How many sessions have it'),
});
const values = (of: string): z.ZodArray<typeof valueCounted> =>
  z.array(valueCounted).describe(`${of}, the most frequent first`);
/** By what the sessions here can be filtered. */
const filters = z.strictObject({
  workflow: values('Workflows of the runs'),
  branch: values('Branches of the repository'),
  label: values('Their tags'),
});
export type FilterValues = ReadonlyOutput<typeof filters>;

export const sessionsReading = z
  .strictObject({ done: count('How many have been read'), of: count('How many there are') })
  .describe(
    'Progress while the server reads the sessions for the first time, newest first; sessions not yet read are not listed',
  );

/** GET /api/sessions */
export const sessionsPage = z.strictObject({
  sessions: z
    .array(sessionListed)
    .describe('Newest work first; with words, closest match first; or in the order the query asks for'),
  found: count('How many match, shown or not'),
  here: count('How many sessions there are, whether or not they match'),
  nextCursor: text('Where the next page starts').exactOptional(),
  told: texts('Which part of the query was ignored or searched as a word, and why').exactOptional(),
  filters: filters.describe('On the first page: the filters for these sessions').exactOptional(),
  unreadable,
  reading: sessionsReading.exactOptional(),
});
export type SessionsPage = ReadonlyOutput<typeof sessionsPage>;
export type SessionList = Omit<SessionsPage, 'reading' | 'filters'>;
