import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { pendingStep, warningTold } from './answer.js';
import { ledgerTold } from './ledger-told.js';
import {
  at,
  branchNumber,
  count,
  eventSum,
  flag,
  jsonObject,
  jsonObjects,
  jsonValue,
  lastAt,
  nodeId,
  path,
  preferences,
  runId,
  sessionId,
  startedAt,
  text,
  texts,
} from './described.js';
import { errorCategories } from './error-catalogue.js';
import {
  documentStory,
  edgeStory,
  gapStory,
  nodeStory,
  outputStory,
  preferenceChanges,
  runHead,
  stepNamed,
  stepsAbout,
} from './session-story.js';
import { usageTold } from './usage-told.js';

/** Everything that goes wrong on this door, in one shape. */
export const apiError = z.strictObject({
  error_code: text('A code of the error catalogue, or of access control'),
  category: z.enum([...errorCategories, 'access']).describe('The category of the error'),
  message: text('What was found and what was expected'),
  context: jsonObject('The identifiers, path, line and column in the message'),
  retryable: flag('Whether the same request may succeed later'),
  retry_after_ms: count('How many milliseconds to wait before trying again').exactOptional(),
  suggested_action: text('The next step'),
  violations: z
    .array(
      z.strictObject({
        path: text('JSON pointer into the request'),
        rule: text('The rule that is broken'),
        message: text('What is wrong'),
        expected: text('What was expected').exactOptional(),
        actual: text('What was found').exactOptional(),
        patch: jsonObjects('RFC 6902 operations that fix a workflow’s source, if that is safe').exactOptional(),
      }),
    )
    .describe('All errors in the request')
    .exactOptional(),
  correlation_id: text('The same ID is in the server’s log'),
});
export type ApiError = ReadonlyOutput<typeof apiError>;

const mark = (says: string): z.ZodExactOptional<z.ZodLiteral<true>> => z.literal(true).describe(says).exactOptional();

/** One node of a run's graph, as light as it can be: what says nothing is left out. */
const graphNode = z.strictObject({
  id: nodeId,
  up: count(
    'Its parent, as an index into nodes; absent at the root, and if the parent is not on disk. Parents come before children',
  ).exactOptional(),
  step: count('The pending step, as an index into steps; absent if the run is complete').exactOptional(),
  seq: count('Position of its event in the session’s total order: use it to show the graph at an earlier moment'),
  at: z.number().describe('When it was created: milliseconds since the run started, by its writer’s clock'),
  status: z
    .enum(['blocked', 'running', 'complete', 'complete_with_gaps', 'failed', 'canceled'])
    .describe('Status of the run here; absent for in_progress')
    .exactOptional(),
  tip: mark('True if nothing follows it'),
  preferredTip: mark('True if work continues here by default'),
  onWay: mark('True if it is on the path from the root to the preferred tip'),
  checkpoints: count('How many checkpoints were made here; absent if none').exactOptional(),
  gaps: count(
    'How many unresolved gaps its step disclosed, when it was done on any branch or at its checkpoints; absent if none',
  ).exactOptional(),
  gapsAbove: count(
    'How many of the gaps counted at its parent were disclosed on the path to this node; absent if none',
  ).exactOptional(),
  blocks: count('How many attempts were blocked here; absent if none').exactOptional(),
  notes: count('How many notes people added here; absent if none').exactOptional(),
  waited: count('How many milliseconds the step waited for a person; absent if none').exactOptional(),
  usage: usageTold.describe('What the step used, each time it was done; absent if nothing').exactOptional(),
  skipped: count('How many steps were skipped on the way here; absent if none').exactOptional(),
  artifacts: count('How many artifacts the step before it sent; absent if none').exactOptional(),
  prefs: mark('True if its preferences differ from its parent’s'),
  partial: mark('True if an ancestor is not on disk'),
});
export type GraphNode = ReadonlyOutput<typeof graphNode>;

const inGroup = count('The enclosing group, as an index into groups; absent if none').exactOptional();

/** A group of steps, or one round of a loop. */
const stepGroup = z.strictObject({
  title: text('Title of the group or loop'),
  round: count('Which round of the loop, from 1; absent for a group').exactOptional(),
  of: count('How many rounds there are, if that was fixed when the loop started').exactOptional(),
  in: inGroup,
});
export type StepGroup = ReadonlyOutput<typeof stepGroup>;

/** A step that is still to come, or a loop as a whole. */
const stepAhead = z.strictObject({
  stepId: text('ID of the step or loop'),
  title: text('Its title, with unknown values left as placeholders'),
  does: z
    .enum(['run', 'fail'])
    .describe('What WorkRail does there itself: run a command, or fail the run; absent otherwise')
    .exactOptional(),
  if: text('The condition for doing it; absent if none').exactOptional(),
  goes: text('For a loop: how often it repeats, in words').exactOptional(),
  in: inGroup,
});
export type StepAhead = ReadonlyOutput<typeof stepAhead>;

const wayAhead = z.strictObject({
  steps: z.array(stepAhead).describe('In order, as far as they are told'),
  more: count('About how many steps come after those'),
});

/** GET /api/sessions/:id/runs/:run */
export const runGraph = z.strictObject({
  sessionId,
  run: runHead.describe('The run without its nodes'),
  steps: z.array(stepNamed.extend({ in: inGroup })).describe('The steps of all nodes, once for each path and title'),
  groups: z
    .array(stepGroup)
    .describe('Groups and rounds that contain steps, outer before inner; empty if the pin cannot be read'),
  ahead: wayAhead
    .describe('The steps expected after the pending one at the preferred tip; absent if there are none')
    .exactOptional(),
  aheadBeside: z
    .array(wayAhead.extend({ tip: text('ID of the tip') }))
    .describe('The next steps at other pending tips, newest work first; absent if none')
    .exactOptional(),
  nodes: z.array(graphNode).describe('Its nodes, parents first'),
  tips: texts('IDs of the tips, the preferred one first'),
});
export type RunGraph = ReadonlyOutput<typeof runGraph>;
export type WayAhead = ReadonlyOutput<typeof wayAhead>;

const nodeRef = z.strictObject({
  runId,
  nodeId,
  path: text('Path of the pending step; absent if the run is complete').exactOptional(),
  title: text('Title of that step').exactOptional(),
  branch: branchNumber,
});
export type NodeRef = ReadonlyOutput<typeof nodeRef>;

const contextChange = z.strictObject({
  key: text('Context key'),
  before: jsonValue('The value before; absent if there was none').exactOptional(),
  after: jsonValue('The value after; absent if there is none').exactOptional(),
});
export type ContextChange = ReadonlyOutput<typeof contextChange>;

/** GET /api/sessions/:id/nodes/:node */
export const stepDetail = z.strictObject({
  sessionId,
  run: runHead.pick({ runId: true, workflow: true, status: true, preferredTip: true }).describe('Its run'),
  branch: branchNumber,
  node: nodeStory.describe('The node; cameBy has the output that led here, and what was skipped and why'),
  parent: nodeRef.describe('Its parent').exactOptional(),
  asSeen: pendingStep
    .describe('The step as the agent sees it; absent if the run is complete, or if promptMissing gives a reason')
    .exactOptional(),
  promptMissing: text('Why the step cannot be shown').exactOptional(),
  stepsAbout,
  stepWarnings: z.array(warningTold).describe('Placeholders in the step that could not be filled in'),
  done: z
    .array(
      z.strictObject({ nodeId: text('ID of the next node'), branch: branchNumber, edge: edgeStory.describe('How') }),
    )
    .describe('Each time the step was done, in recorded order'),
  context: jsonObject('The context here'),
  contextChanged: z
    .array(contextChange)
    .describe('The difference from the parent’s context, or at a root from an empty one'),
  preferenceChangesBefore: preferenceChanges('Who changed the preferences on the path to this node, and how, in order'),
  openGaps: z.array(gapStory).describe('Open gaps here'),
  condition: text('The step’s condition, as its author wrote it').exactOptional(),
});
export type StepDetail = ReadonlyOutput<typeof stepDetail>;

/** GET /api/sessions/:id/runs/:run/documents */
export const documentsAt = z.strictObject({
  sessionId,
  runId,
  nodeId,
  documents: z.array(documentStory).describe('The documents made from the artifacts up to there'),
  ledgers: z.array(ledgerTold).describe('The rounds of the loops on the path to the node'),
  missing: text('Why there are none: the pin cannot be read').exactOptional(),
});
export type DocumentsAt = ReadonlyOutput<typeof documentsAt>;

/** GET /api/sessions/:id/timeline */
export const timeline = z.strictObject({
  sessionId,
  startedAt,
  lastAt,
  lanes: z
    .array(z.strictObject({ runId, title: text('Title of its workflow'), workflowId: text('ID of its workflow') }))
    .describe('One lane per run, in the order they started'),
  marks: z
    .array(
      z.strictObject({
        seq: count('Its position in the session’s total order'),
        event: eventSum,
        at: z
          .number()
          .describe('Milliseconds since the session started, by its writer’s clock, which may run backwards'),
        kind: text('Kind of event'),
        lane: count('Index into lanes; absent for the session’s own lane').exactOptional(),
        nodeId: nodeId.exactOptional(),
        merged: mark('True for merged work: older by the clock than events of other writers before it'),
        settles: mark('True for a person’s answer that ends the step’s wait'),
        says: text('What it says, in one line'),
      }),
    )
    .describe('All events, in the total order'),
});
export type Timeline = ReadonlyOutput<typeof timeline>;

const stepCompared = z.strictObject({
  nodeId: text('ID of the next node'),
  at,
  output: outputStory.describe('The output that was sent'),
  gaps: z.array(gapStory).describe('Gaps disclosed with it'),
  context: jsonObject('The context that was sent: a patch in which null deletes'),
});
export type StepCompared = ReadonlyOutput<typeof stepCompared>;

/** GET /api/sessions/:id/diff */
export const nodesCompared = z.strictObject({
  sessionId,
  a: nodeRef.describe('The first node'),
  b: nodeRef.describe('The second node'),
  ancestor: nodeRef.describe('Their last common ancestor; absent for nodes of different runs').exactOptional(),
  steps: z
    .array(
      z.strictObject({
        path,
        title: text('Title of the step'),
        a: stepCompared.describe('How it was done on the path to a').exactOptional(),
        b: stepCompared.describe('How it was done on the path to b').exactOptional(),
      }),
    )
    .describe('Steps done after the ancestor, in order; a step done on both paths is one entry'),
  context: z.array(contextChange).describe('Context keys that differ: before is at a, after is at b'),
  contextSame: count('How many keys match'),
  preferences: z
    .strictObject({ a: preferences('At a'), b: preferences('At b') })
    .describe('Preferences in force at both'),
});
export type NodesCompared = ReadonlyOutput<typeof nodesCompared>;

/** GET /api/sessions/:id/resume : what to paste so that an agent goes on there. */
export const resumeWords = z.strictObject({
  sessionId,
  at: nodeRef.describe('Where the work continues; absent in a session with notes only').exactOptional(),
  stateToken: text('Token of the node').exactOptional(),
  sessionToken: text('Token of a session with notes only').exactOptional(),
  words: text('What to paste into an agent’s chat'),
  call: z
    .strictObject({ tool: text('Name of the tool'), arguments: jsonObject('Its arguments') })
    .describe('The same as a tool call'),
  command: text('The same for a shell'),
});
export type ResumeWords = ReadonlyOutput<typeof resumeWords>;

/** GET /api/about: what the page says of this server. */
export const aboutServer = z.strictObject({
  version: text('Version of WorkRail'),
  workspace: text('The folder it was started in'),
  platform: text('The operating system'),
  connect: z
    .strictObject({ http: text('The address to connect over HTTP'), stdio: text('The command to connect over stdio') })
    .describe('How to connect an agent'),
  program: z.array(z.string()).describe('How to run the program in a shell'),
  where: z.array(z.string()).describe('The options after each command that select its folders'),
});
export type AboutServer = ReadonlyOutput<typeof aboutServer>;
