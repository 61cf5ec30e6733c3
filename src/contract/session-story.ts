import { z } from 'zod';
import { commandSources, documentForms } from '../base/closed-sets.js';
import type { JsonObject } from '../base/json-value.js';
import type { StateStory } from './state-story.js';
import type { LedgerTold } from './ledger-told.js';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { gapTold, warningTold } from './answer.js';
import { commandStory, stopStory } from './command-story.js';
import { personAnswerTold } from './draft-told.js';
import { type LongestStep, longestStep, usageTold } from './usage-told.js';
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
  .describe('The kind of data folder: one you named, the project’s, or the user’s own');
export type DataPlace = z.output<typeof dataPlace>;

/** What is amiss with a file of a session. */
export const findingTold = z.strictObject({
  level: z
    .enum(['torn', 'incomplete', 'damage', 'newer'])
    .describe('Unfinished write, lines missing, damaged, or written by a newer WorkRail'),
  file: text('The file, relative to the session’s folder'),
  line: count('The line').exactOptional(),
  byte: count('Where it starts in the file').exactOptional(),
  message: text('What is wrong'),
  remedy: text('What to do about it'),
});
export type FindingTold = ReadonlyOutput<typeof findingTold>;

export const outputStory = z.strictObject({
  notes: text('Notes, as Markdown').exactOptional(),
  artifacts: jsonObjects('Artifacts as they were sent; usage they report is listed separately'),
});
export type OutputStory = ReadonlyOutput<typeof outputStory>;

export const gapStory = z.strictObject({
  ...gapTold.shape,
  resolved: flag('Whether a later event resolved it'),
  settled: z
    .strictObject({
      by: text('ID of the gap that resolves it'),
      path: text('Path of the step where it was resolved'),
      how: text('How it was resolved'),
      who: z.enum(['agent', 'user']).describe('Who resolved it'),
    })
    .describe('How it was resolved; absent while it is open')
    .exactOptional(),
  path: text('Path of the step where it was disclosed'),
});
export type GapStory = ReadonlyOutput<typeof gapStory>;

/** Something a person or an agent wrote down beside the steps. */
export const noteStory = z.strictObject({ event: eventSum, at, text: text('The text') });
export type NoteStory = ReadonlyOutput<typeof noteStory>;

/** Output that was recorded without advancing. */
export const checkpointStory = z.strictObject({
  event: eventSum,
  at,
  output: outputStory.describe('The output that was sent'),
  usage: usageTold.describe('The usage it reports; absent if it reports none, or arrived late').exactOptional(),
  gaps: z.array(gapStory).describe('Gaps disclosed with it'),
  late: flag('True if it arrived with a replay, after the step was complete'),
});
export type CheckpointStory = ReadonlyOutput<typeof checkpointStory>;

const stepTitle = text('Title of the step');

/** How a node came to be: the start of its run, or one acknowledged attempt at its parent. */
export const edgeStory = z.strictObject({
  event: eventSum,
  at,
  kind: z.enum(['started', 'acked']).describe('The start of the run, or a completed step'),
  step: z.strictObject({ path, title: stepTitle }).describe('The completed step; absent for a start').exactOptional(),
  output: outputStory.describe('The output that was sent'),
  usage: usageTold.describe('The usage it reports; absent if it reports none').exactOptional(),
  context: jsonObject('The context that was sent: a patch in which null deletes'),
  added: jsonObject('What was added to lists in the context, by key; absent if nothing').exactOptional(),
  confirmed: flag('Whether the user’s agreement came with it'),
  command: z
    .enum(commandSources)
    .describe('How WorkRail did the step itself: sent, reused, settled or skipped; absent if an agent did it')
    .exactOptional(),
  changedSinceDraft: texts(
    'How it differs from the draft that waited for the user; absent if it does not',
  ).exactOptional(),
  gaps: z.array(gapStory).describe('Gaps disclosed with it, or on the path to the node'),
  warnings: z.array(warningTold).describe('Its warnings'),
  skipped: z
    .array(z.strictObject({ path, title: stepTitle, reason: text('Why it was skipped') }))
    .describe('Steps skipped on the path to the node'),
});
export type EdgeStory = ReadonlyOutput<typeof edgeStory>;

const blockStory = z.strictObject({
  event: eventSum,
  at,
  output: outputStory.describe('The draft: the output that waits or waited for the user'),
  context: jsonObject('The context sent with it: a patch in which null deletes'),
  gaps: z.array(gapStory).describe('Gaps it would disclose'),
  blockers: z
    .array(
      z.strictObject({
        code: text('Kind of blocker'),
        message: text('What is missing'),
        fix: text('What to do about it'),
      }),
    )
    .describe('What blocked it'),
  command: z
    .literal(true)
    .describe('True if WorkRail asks about a command of its own; absent if an agent handed in work')
    .exactOptional(),
  refused: text('The user’s reason for refusing, as the agent reported it').exactOptional(),
  answers: z.array(personAnswerTold).describe('People’s own answers to it, in order'),
});
export type BlockStory = ReadonlyOutput<typeof blockStory>;

export const stepNamed = z.strictObject({
  stepId: text('ID of the step'),
  path,
  title: stepTitle,
  does: z
    .enum(['run', 'fail'])
    .describe('What WorkRail does there itself: run a command, or fail the run; absent if an agent does the step')
    .exactOptional(),
});

const preferenceChange = z.strictObject({
  event: eventSum,
  at,
  by: z
    .enum(['start', 'agent', 'person'])
    .describe('The start of the run, an agent with the output it sent, or a person'),
  door: text('Where the person did it: terminal, page or client; absent if unknown').exactOptional(),
  direction: z
    .enum(['loosened', 'tightened'])
    .describe('Whether work became more autonomous; absent if a person allowed what an agent asked for')
    .exactOptional(),
  says: text('The change in a sentence'),
});
export type PreferenceChangeTold = ReadonlyOutput<typeof preferenceChange>;
export const preferenceChanges = (says: string): z.ZodArray<typeof preferenceChange> =>
  z.array(preferenceChange).describe(says);

export const nodeStory = z.strictObject({
  nodeId,
  parent: text('ID of its parent; absent at the root').exactOptional(),
  depth: count('How many steps were done from the root to here'),
  pending: stepNamed.describe('The pending step; absent if the run is complete').exactOptional(),
  status: runStatus.describe('Status of the run here'),
  isTip: flag('Whether nothing follows it'),
  isPreferredTip: flag('Whether work continues here by default'),
  onPreferredPath: flag('Whether it is on the path from the root to the preferred tip'),
  whole: flag('False if an ancestor is not on disk, so inherited values are unknown'),
  children: texts('IDs of its children'),
  cameBy: edgeStory.describe('How it was created'),
  checkpoints: z.array(checkpointStory).describe('Checkpoints: output recorded here without completing the step'),
  notes: z.array(noteStory).describe('Notes that people added here'),
  command: commandStory
    .describe('The command that WorkRail runs here; absent if an agent does the step')
    .exactOptional(),
  stopped: stopStory.describe('How the run ended here before its last step; absent if it did not').exactOptional(),
  blocks: z.array(blockStory).describe('Attempts that were blocked here'),
  waited: count('How many milliseconds it waited for a person; absent if none').exactOptional(),
  usage: usageTold
    .describe('What the step used, each time it was done and at its checkpoints; absent if nothing')
    .exactOptional(),
  preferences: preferences('Preferences in force here'),
  mode: z
    .strictObject({ label: text('Its label'), says: text('What it does') })
    .describe('The mode with exactly these preferences, in words for people; absent if there is none')
    .exactOptional(),
  preferencesChanged: flag('Whether they differ from its parent’s'),
  preferenceChanges: preferenceChanges('Who changed them here, and how, in order'),
});
export type NodeStory = ReadonlyOutput<typeof nodeStory>;

/** Artifacts as they fold together at a tip. */
export const documentStory = z.strictObject({
  name: text('Name of the document'),
  fold: z.enum(['header', 'table', 'log', 'list']).describe('How artifacts are merged into it'),
  shownAs: z
    .enum(documentForms)
    .describe('How its contract says to show it; absent if only fold says it')
    .exactOptional(),
  header: jsonObject('Its fields').exactOptional(),
  rows: jsonObjects('Its rows').exactOptional(),
  entries: jsonObjects('Its entries').exactOptional(),
  from: texts('Path of the step that said it, for each field, row or entry in order'),
  leftOut: count('How many artifacts could not be merged'),
});
export type DocumentStory = ReadonlyOutput<typeof documentStory>;

export const stepsAbout = count(
  'About how many steps the run has, as the agent sees it; absent at the end, and if the pin cannot be read',
).exactOptional();

/** A run without its nodes. */
export const runHead = z.strictObject({
  runId,
  workflow: z
    .strictObject({
      id: text('ID of the workflow'),
      title: text('Its title when the run started'),
      version: text('Its version when the run started'),
      hash: text('Digest of the compiled workflow of the run'),
    })
    .describe('The workflow of the run'),
  about: text('The input it works on, unless it is a default').exactOptional(),
  startedAt,
  lastAt,
  waited: count('How many milliseconds it waited for a person; absent if none').exactOptional(),
  usage: usageTold.describe('What its steps used, on all branches; absent if unknown').exactOptional(),
  longest: longestStep
    .describe('The step that took longest on any branch, not counting waits for a person; absent if none took a second')
    .exactOptional(),
  status: runStatus.describe('Status of the run at the preferred tip'),
  openBranches: count('How many of its other branches have a pending step'),
  pending: z.string().nullable().describe('Title of the pending step at the preferred tip; null at the end'),
  stepNumber: count('Number of that step on its branch, from 1; absent at the end').exactOptional(),
  stepsAbout,
  preferences: preferences('In force at the preferred tip'),
  root: text('ID of its first node'),
  preferredTip: text('ID of the node where work continues by default'),
  nodes: count('How many nodes it has'),
  branches: count('How many tips it has'),
  openGaps: count('How many gaps are open at the preferred tip'),
  inputs: jsonObject('The context of its start'),
});
export type RunHead = ReadonlyOutput<typeof runHead>;

export interface RunStory extends Omit<
  RunHead,
  'pending' | 'stepNumber' | 'stepsAbout' | 'nodes' | 'branches' | 'openGaps'
> {
  /** The longest step and those after it. */
  readonly slowest: readonly LongestStep[];
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
  key: text('Key of the session, such as a ticket').exactOptional(),
  title: text('Its title').exactOptional(),
  about: text('Its name: its title, its first run’s input, its key, or the start of its notes'),
  tags: texts('Its tags'),
  keep: flag('Whether it is marked as never pruned'),
  preferences: preferences('Preferences for new runs; absent if its first event is not on disk').exactOptional(),
  place: dataPlace,
  folder: text('Its data folder'),
  startedAt,
  lastAt,
  eventCount: count('How many events it has'),
  usage: usageTold.describe('What its runs used, and other usage reported in it; absent if unknown').exactOptional(),
  observations: z
    .array(
      z.strictObject({
        branch: text('Branch of the repository').exactOptional(),
        commit: text('Commit that was checked out').exactOptional(),
        repository: text('Name of the repository').exactOptional(),
        remote: text('The repository’s remote').exactOptional(),
      }),
    )
    .describe('Branches and commits of the repository, in order'),
  notes: z.array(noteStory).describe('Notes on the session itself'),
  checkpoints: z.array(checkpointStory).describe('Output recorded without a workflow'),
  findings: z.array(findingTold).describe('What is wrong with its files'),
  runs: z.array(runHead).describe('Its runs, in the order they started'),
  states: count('How many shared states it has, forks among them; absent if none').exactOptional(),
  trouble: z
    .enum(['damage', 'newer', 'incomplete'])
    .describe('Why it cannot be written to, or is incomplete')
    .exactOptional(),
});
export type SessionHead = ReadonlyOutput<typeof sessionHead>;

/** A session told for people: everything that its events say, in an order that can be read. Deterministic for the same events. */
export interface SessionStory extends Omit<SessionHead, 'folder' | 'runs' | 'trouble'> {
  /** In the order they were started. */
  readonly runs: readonly RunStory[];
  /** In the order they were created; absent where there are none. */
  readonly sharedStates?: readonly StateStory[];
}
