import { z } from 'zod';
import { documentForms } from '../base/closed-sets.js';
import type { JsonObject } from '../base/json-value.js';
import type { LedgerTold } from './ledger-told.js';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { gapTold, warningTold } from './answer.js';
import { personAnswerTold } from './draft-told.js';
import { longestStep, usageTold } from './usage-told.js';
import {
  at,
  count,
  eventSum,
  flag,
  jsonObject,
  jsonObjects,
  lastAt,
  nodeId,
  path,
  preferences,
  runId,
  runStatus,
  sessionId,
  startedAt,
  text,
  texts,
} from './described.js';

export const dataPlace = z
  .enum(['given', 'project', 'user'])
  .describe('The kind of data root: named outright, a project’s own folder, or the user’s');
export type DataPlace = z.output<typeof dataPlace>;

/** What is amiss with a file of a session. */
export const findingTold = z.strictObject({
  level: z
    .enum(['torn', 'incomplete', 'damage', 'newer'])
    .describe('Unfinished write, lines missing, damaged, or written by a newer WorkRail'),
  file: text('The file, relative to the session’s folder'),
  line: count('The line in it').exactOptional(),
  byte: count('Where in the file it begins').exactOptional(),
  message: text('What is wrong'),
  remedy: text('What to do about it'),
});
export type FindingTold = ReadonlyOutput<typeof findingTold>;

export const outputStory = z.strictObject({
  notes: text('Notes, as Markdown').exactOptional(),
  artifacts: jsonObjects('Artifacts, as they were handed in; what they say of usage stands beside them'),
});
export type OutputStory = ReadonlyOutput<typeof outputStory>;

export const gapStory = z.strictObject({
  ...gapTold.shape,
  resolved: flag('Whether a later event resolved it'),
  settled: z
    .strictObject({
      by: text('Id of the gap that settles it'),
      path: text('Path of the step where that was said'),
      how: text('How it ended'),
      who: z.enum(['agent', 'user']).describe('Whose word that is'),
    })
    .describe('How it ended; absent while it is open')
    .exactOptional(),
  path: text('Path of the step that it was disclosed at'),
});
export type GapStory = ReadonlyOutput<typeof gapStory>;

/** Something a person or an agent wrote down beside the steps. */
export const noteStory = z.strictObject({ event: eventSum, at, text: text('What was written') });
export type NoteStory = ReadonlyOutput<typeof noteStory>;

/** Output that was recorded without advancing. */
export const checkpointStory = z.strictObject({
  event: eventSum,
  at,
  output: outputStory.describe('What was handed in'),
  usage: usageTold.describe('What it says was used; absent where it says nothing, or came late').exactOptional(),
  gaps: z.array(gapStory).describe('Gaps that were disclosed with it'),
  late: flag('Whether it came with a replay, after the step had been decided'),
});
export type CheckpointStory = ReadonlyOutput<typeof checkpointStory>;

const stepTitle = text('Title of the step');

/** How a node came to be: the start of its run, or one acknowledged attempt at its parent. */
export const edgeStory = z.strictObject({
  event: eventSum,
  at,
  kind: z.enum(['started', 'acked']).describe('The start of the run, or a step that was done'),
  step: z
    .strictObject({ path, title: stepTitle })
    .describe('The step that was done; absent for a start')
    .exactOptional(),
  output: outputStory.describe('What was handed in'),
  usage: usageTold.describe('What it says was used; absent where it says nothing').exactOptional(),
  context: jsonObject('Context as it was handed in: a patch, in which null deletes'),
  added: jsonObject('What came to lists of the context, by their keys; absent for nothing').exactOptional(),
  confirmed: flag('Whether the user’s agreement was given with it'),
  changedSinceDraft: texts('In what it differs from what had waited for the user; absent for nothing').exactOptional(),
  gaps: z.array(gapStory).describe('Gaps that were disclosed with it, or on the way to the node'),
  warnings: z.array(warningTold).describe('Warnings that were given with it'),
  skipped: z
    .array(z.strictObject({ path, title: stepTitle, reason: text('Why it was skipped') }))
    .describe('Steps that were skipped on the way to the node'),
});
export type EdgeStory = ReadonlyOutput<typeof edgeStory>;

const blockStory = z.strictObject({
  event: eventSum,
  at,
  output: outputStory.describe('What was handed in, and waits or waited for the user'),
  context: jsonObject('Context as it was handed in with it: a patch, in which null deletes'),
  gaps: z.array(gapStory).describe('Gaps that were to be disclosed with it'),
  blockers: z
    .array(
      z.strictObject({
        code: text('Kind of blocker'),
        message: text('What is missing'),
        fix: text('What to do about it'),
      }),
    )
    .describe('What blocked it'),
  refused: text('Why the user said no to it, as the agent passed it on').exactOptional(),
  answers: z.array(personAnswerTold).describe('What people answered to it at their own door, in order'),
});
export type BlockStory = ReadonlyOutput<typeof blockStory>;

export const stepNamed = z.strictObject({ stepId: text('Id of the step'), path, title: stepTitle });

const preferenceChange = z.strictObject({
  event: eventSum,
  at,
  by: z
    .enum(['start', 'agent', 'person'])
    .describe('The start of the run, an agent with what it handed in, or a person'),
  door: text('Where the person came in: terminal, page or client; absent where it is not known').exactOptional(),
  direction: z
    .enum(['loosened', 'tightened'])
    .describe('Whether work goes further without the user; absent where a person allowed what an agent asked for')
    .exactOptional(),
  says: text('All of it in a sentence'),
});
export type PreferenceChangeTold = ReadonlyOutput<typeof preferenceChange>;
export const preferenceChanges = (says: string): z.ZodArray<typeof preferenceChange> =>
  z.array(preferenceChange).describe(says);

export const nodeStory = z.strictObject({
  nodeId,
  parent: text('Id of the node that it came from; absent at the root').exactOptional(),
  depth: count('How many steps were done between the root and here'),
  pending: stepNamed.describe('The step that waits here; absent where the run is complete').exactOptional(),
  status: runStatus.describe('How far the run has come here'),
  isTip: flag('Whether nothing follows it'),
  isPreferredTip: flag('Whether work goes on here unless another node is named'),
  onPreferredPath: flag('Whether it lies on the way from the root to the preferred tip'),
  whole: flag('False where an ancestor is not on disk: what it inherits is not known'),
  children: texts('Ids of the nodes that came from it'),
  cameBy: edgeStory.describe('How it came to be'),
  checkpoints: z.array(checkpointStory).describe('Output that was recorded here without advancing'),
  notes: z.array(noteStory).describe('What was written down here beside the steps'),
  blocks: z.array(blockStory).describe('Attempts that were blocked here'),
  waited: count('Milliseconds that it waited for a person; absent for none').exactOptional(),
  usage: usageTold
    .describe('What the step that waits here used, each time it was done and at its checkpoints; absent for nothing')
    .exactOptional(),
  preferences: preferences('Preferences in force here'),
  mode: z
    .strictObject({ label: text('What it is called'), says: text('What it does') })
    .describe('The mode that has exactly these preferences, in words for people; absent where none has')
    .exactOptional(),
  preferencesChanged: flag('Whether they differ from those at the parent'),
  preferenceChanges: preferenceChanges('Who changed them here, and how, in order'),
});
export type NodeStory = ReadonlyOutput<typeof nodeStory>;

/** Artifacts as they fold together at a tip. */
export const documentStory = z.strictObject({
  name: text('Name of the document'),
  fold: z.enum(['header', 'table', 'log', 'list']).describe('How artifacts fold into it'),
  shownAs: z
    .enum(documentForms)
    .describe('How its contract wants it shown; absent where nothing but the fold says it')
    .exactOptional(),
  header: jsonObject('Its fields').exactOptional(),
  rows: jsonObjects('Its rows').exactOptional(),
  entries: jsonObjects('Its entries').exactOptional(),
  from: texts('Path of the step that said it, for each field, row or entry in order'),
  leftOut: count('How many artifacts could not be folded in'),
});
export type DocumentStory = ReadonlyOutput<typeof documentStory>;

export const stepsAbout = count(
  'About how many steps the run comes to, as the agent is told with the step; absent at the end, and where the pin cannot be read',
).exactOptional();

/** A run without its nodes. */
export const runHead = z.strictObject({
  runId,
  workflow: z
    .strictObject({
      id: text('Id of the workflow'),
      title: text('Its title when the run started'),
      version: text('Its version when the run started'),
      hash: text('Digest of the compiled workflow that the run follows'),
    })
    .describe('The workflow that the run follows'),
  about: text('What it was given to work on, a default apart').exactOptional(),
  startedAt,
  lastAt,
  waited: count('Milliseconds that it waited for a person; absent for none').exactOptional(),
  usage: usageTold.describe('What its steps used, on all branches; absent where none told').exactOptional(),
  longest: longestStep.describe('The step that took longest; absent where no two steps are done').exactOptional(),
  status: runStatus.describe('How far it has come at the preferred tip'),
  openBranches: count('How many other branches of it wait for a step'),
  pending: z.string().nullable().describe('Title of the step that is awaited at the preferred tip; null at the end'),
  stepNumber: count('Which step of its branch that is, from 1; absent at the end').exactOptional(),
  stepsAbout,
  preferences: preferences('In force at the preferred tip'),
  root: text('Id of its first node'),
  preferredTip: text('Id of the node where work goes on unless another is named'),
  nodes: count('How many nodes it has'),
  branches: count('How many tips it has'),
  openGaps: count('How many gaps are open at the preferred tip'),
  inputs: jsonObject('What it was given to start with'),
});
export type RunHead = ReadonlyOutput<typeof runHead>;

export interface RunStory extends Omit<
  RunHead,
  'pending' | 'stepNumber' | 'stepsAbout' | 'nodes' | 'branches' | 'openGaps'
> {
  /** In force at the preferred tip. */
  readonly context: JsonObject;
  /** Every tip, the preferred one first. */
  readonly tips: readonly string[];
  /** Parents before children; siblings in the order they were made. */
  readonly nodes: readonly NodeStory[];
  /** At the preferred tip. */
  readonly documents: readonly DocumentStory[];
  /** The rounds of its loops. */
  readonly ledgers: readonly LedgerTold[];
  readonly gaps: readonly GapStory[];
}

/** GET /api/sessions/:id */
export const sessionHead = z.strictObject({
  sessionId,
  key: text('Key of the workstream').exactOptional(),
  title: text('Its title').exactOptional(),
  about: text('What it is called: its title, what its first run was given, its key, or how its notes begin'),
  tags: texts('Its tags'),
  keep: flag('Whether it is marked as never pruned'),
  preferences: preferences('What new runs of it begin with; absent where its beginning is not on disk').exactOptional(),
  place: dataPlace,
  folder: text('Folder of the data root that it lies in'),
  startedAt,
  lastAt,
  eventCount: count('How many events it has'),
  usage: usageTold
    .describe('What its runs used, and what was told beside them; absent where nobody told')
    .exactOptional(),
  observations: z
    .array(
      z.strictObject({
        branch: text('Branch of the repository').exactOptional(),
        commit: text('Commit that was checked out').exactOptional(),
        repository: text('Name of the repository').exactOptional(),
        remote: text('Where the repository comes from').exactOptional(),
      }),
    )
    .describe('What was seen of the repository, in order'),
  notes: z.array(noteStory).describe('What was written down on the session itself'),
  checkpoints: z.array(checkpointStory).describe('Output that was recorded for the session without a workflow'),
  findings: z.array(findingTold).describe('What is wrong with its files'),
  runs: z.array(runHead).describe('Its runs, in the order they were started'),
  trouble: z
    .enum(['damage', 'newer', 'incomplete'])
    .describe('What keeps it from being written to, or from being whole')
    .exactOptional(),
});
export type SessionHead = ReadonlyOutput<typeof sessionHead>;

/** A session told for people: everything that its events say, in an order that can be read. Deterministic for the same events. */
export interface SessionStory extends Omit<SessionHead, 'folder' | 'runs' | 'trouble'> {
  /** In the order they were started. */
  readonly runs: readonly RunStory[];
}
