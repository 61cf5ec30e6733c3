import { z } from 'zod';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import { pendingStep, warningTold } from './answer.js';
import { ledgerTold } from './ledger-told.js';
import {
  at,
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
  error_code: text('A code of the error catalogue, or of what keeps strangers out'),
  category: z.enum([...errorCategories, 'access']).describe('What kind of trouble it is'),
  message: text('What was found, and what was expected'),
  context: jsonObject('The identifiers, path, line and column that the message speaks of'),
  retryable: flag('Whether the same request may succeed without a change to it'),
  retry_after_ms: count('How many milliseconds to wait before that').exactOptional(),
  suggested_action: text('The one thing to do next'),
  violations: z
    .array(
      z.strictObject({
        path: text('JSON pointer into the request'),
        rule: text('The rule that is broken'),
        message: text('What is wrong'),
        expected: text('What was expected').exactOptional(),
        actual: text('What was found').exactOptional(),
        patch: jsonObjects(
          'RFC 6902 operations on a workflow’s source that put it right, where that is safe',
        ).exactOptional(),
      }),
    )
    .describe('Everything that is wrong with the request')
    .exactOptional(),
  correlation_id: text('The same id stands in the server’s log'),
});
export type ApiError = ReadonlyOutput<typeof apiError>;

const mark = (says: string): z.ZodExactOptional<z.ZodLiteral<true>> => z.literal(true).describe(says).exactOptional();

/** One node of a run's graph, as light as it can be: what says nothing is left out. */
const graphNode = z.strictObject({
  id: nodeId,
  up: count(
    'Its parent, as an index into nodes; absent at the root, and where the parent is not on disk. Parents stand before children',
  ).exactOptional(),
  step: count('The step that waits here, as an index into steps; absent where the run is complete').exactOptional(),
  seq: count('Place of the event that made it in the session’s total order: with it the graph can be shown as it was'),
  at: z.number().describe('When it was made: milliseconds since the run started, by the clock of whoever wrote it'),
  status: z
    .enum(['blocked', 'complete', 'complete_with_gaps'])
    .describe('How far the run has come here; absent for in_progress')
    .exactOptional(),
  tip: mark('Nothing follows it'),
  preferredTip: mark('Work goes on here unless another node is named'),
  onWay: mark('On the way from the root to the preferred tip'),
  checkpoints: count('How many checkpoints were made here; absent for none').exactOptional(),
  gaps: count(
    'How many gaps its step disclosed when it was done, on any branch, or at its checkpoints, and not resolved since; absent for none',
  ).exactOptional(),
  gapsAbove: count(
    'How many of the gaps that count at its parent were disclosed on the way here; absent for none',
  ).exactOptional(),
  blocks: count('How many attempts were blocked here; absent for none').exactOptional(),
  notes: count('How many notes were written down here; absent for none').exactOptional(),
  waited: count('Milliseconds that the step waited for a person until it was done; absent for none').exactOptional(),
  usage: usageTold.describe('What the step used, each time it was done; absent for nothing').exactOptional(),
  skipped: count('How many steps were skipped on the way here; absent for none').exactOptional(),
  artifacts: count('How many artifacts were handed in on the way here; absent for none').exactOptional(),
  prefs: mark('Preferences differ from those at the parent'),
  partial: mark('An ancestor is not on disk'),
});
export type GraphNode = ReadonlyOutput<typeof graphNode>;

const inGroup = count('The group around it, as an index into groups; absent for none').exactOptional();

/** A group of steps, or one round of a loop. */
const stepGroup = z.strictObject({
  title: text('Title of the group or loop'),
  round: count('Which round of the loop, from 1; absent for a group').exactOptional(),
  of: count('How many rounds there are, where that was fixed when the loop began').exactOptional(),
  in: inGroup,
});
export type StepGroup = ReadonlyOutput<typeof stepGroup>;

/** A step that is still to come, or a loop as a whole. */
const stepAhead = z.strictObject({
  stepId: text('Id of the step or loop'),
  title: text('Its title; what is not known yet is left open'),
  if: text('What has to hold for it to be done; absent for nothing').exactOptional(),
  goes: text('Of a loop: how often it is done, in words').exactOptional(),
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
  steps: z
    .array(stepNamed.extend({ in: inGroup }))
    .describe('Each step that some node stands at, once for each place and title'),
  groups: z
    .array(stepGroup)
    .describe(
      'Groups and rounds of loops that steps stand in, outer ones before inner ones; none where the pin cannot be read',
    ),
  ahead: wayAhead
    .describe(
      'What follows the step that waits at the preferred tip, as it looks from there; absent where nothing does',
    )
    .exactOptional(),
  aheadBeside: z
    .array(wayAhead.extend({ tip: text('Id of the tip') }))
    .describe('The next steps at other tips that wait, those with the newest work first; absent for none')
    .exactOptional(),
  nodes: z.array(graphNode).describe('Its nodes, parents before children'),
  tips: texts('Ids of the nodes that nothing follows, the preferred one first'),
});
export type RunGraph = ReadonlyOutput<typeof runGraph>;
export type WayAhead = ReadonlyOutput<typeof wayAhead>;

const nodeRef = z.strictObject({
  runId,
  nodeId,
  path: text('Path of the step that waits there; absent where the run is complete').exactOptional(),
  title: text('Title of that step').exactOptional(),
});
export type NodeRef = ReadonlyOutput<typeof nodeRef>;

const contextChange = z.strictObject({
  key: text('Key of the context'),
  before: jsonValue('Its value before; absent where it had none').exactOptional(),
  after: jsonValue('Its value after; absent where it has none').exactOptional(),
});
export type ContextChange = ReadonlyOutput<typeof contextChange>;

/** GET /api/sessions/:id/nodes/:node */
export const stepDetail = z.strictObject({
  sessionId,
  run: runHead
    .pick({ runId: true, workflow: true, status: true, preferredTip: true })
    .describe('The run that it belongs to'),
  node: nodeStory.describe('The node; cameBy holds the output that led here, and what was skipped and why'),
  parent: nodeRef.describe('The node that it came from').exactOptional(),
  asSeen: pendingStep
    .describe('The step as the agent sees it; absent where the run is complete, and where promptMissing says why')
    .exactOptional(),
  promptMissing: text('Why the step cannot be told').exactOptional(),
  stepsAbout,
  stepWarnings: z.array(warningTold).describe('Told with the step: holes that could not be filled'),
  done: z
    .array(z.strictObject({ nodeId: text('Id of the node that it led to'), edge: edgeStory.describe('How') }))
    .describe('Each time the step was done, in the order they were recorded'),
  context: jsonObject('Context in force here'),
  contextChanged: z.array(contextChange).describe('What differs from the parent; at a root, from nothing'),
  preferenceChangesBefore: preferenceChanges('Who changed the preferences on the way here, and how, in order'),
  openGaps: z.array(gapStory).describe('Gaps that are open here'),
  condition: text('The condition under which the step is done, as its author wrote it').exactOptional(),
});
export type StepDetail = ReadonlyOutput<typeof stepDetail>;

/** GET /api/sessions/:id/runs/:run/documents */
export const documentsAt = z.strictObject({
  sessionId,
  runId,
  nodeId,
  documents: z.array(documentStory).describe('Artifacts as they fold together there'),
  ledgers: z.array(ledgerTold).describe('The rounds of the loops that the way there went through'),
  missing: text('Why there can be none: the pin cannot be read').exactOptional(),
});
export type DocumentsAt = ReadonlyOutput<typeof documentsAt>;

/** GET /api/sessions/:id/timeline */
export const timeline = z.strictObject({
  sessionId,
  startedAt,
  lastAt,
  lanes: z
    .array(z.strictObject({ runId, title: text('Title of its workflow'), workflowId: text('Id of its workflow') }))
    .describe('A lane for each run, in the order they were started'),
  marks: z
    .array(
      z.strictObject({
        seq: count('Its place in the session’s total order'),
        event: eventSum,
        at: z
          .number()
          .describe('Milliseconds since the session started, by the clock of whoever wrote it: it may go back'),
        kind: text('Kind of event'),
        lane: count('Index into lanes; absent for the session’s own lane').exactOptional(),
        nodeId: nodeId.exactOptional(),
        settles: mark('A person’s answer after which the step waits for them no longer'),
        says: text('What it says, in one line'),
      }),
    )
    .describe('Every event, in the total order'),
});
export type Timeline = ReadonlyOutput<typeof timeline>;

const stepCompared = z.strictObject({
  nodeId: text('Id of the node that it led to'),
  at,
  output: outputStory.describe('What was handed in'),
  gaps: z.array(gapStory).describe('Gaps that were disclosed with it'),
  context: jsonObject('Context as it was handed in: a patch, in which null deletes'),
});
export type StepCompared = ReadonlyOutput<typeof stepCompared>;

/** GET /api/sessions/:id/diff */
export const nodesCompared = z.strictObject({
  sessionId,
  a: nodeRef.describe('The first node'),
  b: nodeRef.describe('The second node'),
  ancestor: nodeRef.describe('The last node on the way to both; absent for nodes of different runs').exactOptional(),
  steps: z
    .array(
      z.strictObject({
        path,
        title: text('Title of the step'),
        a: stepCompared.describe('As it was done on the way to a').exactOptional(),
        b: stepCompared.describe('As it was done on the way to b').exactOptional(),
      }),
    )
    .describe('Steps done after the ancestor, in order: beside each other where both ways did the same step'),
  context: z.array(contextChange).describe('Keys of the context that differ: before is at a, after is at b'),
  contextSame: count('How many keys are the same at both'),
  preferences: z
    .strictObject({ a: preferences('At a'), b: preferences('At b') })
    .describe('Preferences in force at both'),
});
export type NodesCompared = ReadonlyOutput<typeof nodesCompared>;

/** GET /api/sessions/:id/resume : what to paste so that an agent goes on there. */
export const resumeWords = z.strictObject({
  sessionId,
  at: nodeRef.describe('Where the work goes on; absent in a session that holds notes alone').exactOptional(),
  stateToken: text('Token of the node').exactOptional(),
  sessionToken: text('Token of a session that holds notes alone').exactOptional(),
  words: text('What to paste into an agent’s chat'),
  call: z
    .strictObject({ tool: text('Name of the tool'), arguments: jsonObject('What it is called with') })
    .describe('The same as a call of a tool'),
  command: text('The same for a shell'),
});
export type ResumeWords = ReadonlyOutput<typeof resumeWords>;

/** GET /api/about: what the page says of this server. */
export const aboutServer = z.strictObject({
  version: text('Version of WorkRail'),
  workspace: text('The folder that it was started in'),
  platform: text('The operating system'),
  connect: z
    .strictObject({ http: text('The address, for an agent that speaks HTTP'), stdio: text('The command, for stdio') })
    .describe('How an agent is connected'),
  program: z.array(z.string()).describe('How the program is called in a shell'),
  where: z.array(z.string()).describe('The options after each command, which say what folders it is about'),
});
export type AboutServer = ReadonlyOutput<typeof aboutServer>;
