import { z } from 'zod';
import { preferencesSchema } from '../base/preferences.js';
import type { ListedWorkflow, PendingStep } from './answer.js';
import {
  checkpointStory,
  count,
  documentStory,
  edgeStory,
  finding,
  gapStory,
  jsonObject,
  jsonValue,
  moment,
  nodeStory,
  noteStory,
  outputStory,
  place,
  status,
  warning,
  workflowOfRun,
} from './api-story-schemas.js';
import type { EventTold } from './event-told.js';
import type {
  AboutServer,
  ApiError,
  ContextChange,
  DocumentsAt,
  EventsPage,
  GraphNode,
  LiveMessages,
  NodeRef,
  NodesCompared,
  ResumeWords,
  RunGraph,
  RunHead,
  SessionHead,
  SessionsPage,
  StepCompared,
  StepDetail,
  Timeline,
  WorkflowDetail,
  WorkflowsPage,
} from './http-api.js';
import type { SessionListed } from './session-list.js';

const trouble = z.enum(['damage', 'newer', 'incomplete']);

export const apiError: z.ZodType<ApiError> = z.strictObject({
  error_code: z.string(),
  category: z.enum(['validation', 'not_found', 'conflict', 'execution', 'internal', 'access']),
  message: z.string(),
  context: jsonObject,
  retryable: z.boolean(),
  retry_after_ms: count.exactOptional(),
  suggested_action: z.string(),
  violations: z
    .array(
      z.strictObject({
        path: z.string(),
        rule: z.string(),
        message: z.string(),
        expected: z.string().exactOptional(),
        actual: z.string().exactOptional(),
        patch: z.array(jsonObject).exactOptional(),
      }),
    )
    .exactOptional(),
  correlation_id: z.string(),
});

const sessionListed: z.ZodType<SessionListed> = z.strictObject({
  sessionId: z.string(),
  key: z.string().exactOptional(),
  title: z.string().exactOptional(),
  about: z.string(),
  tags: z.array(z.string()),
  keep: z.boolean(),
  place,
  folder: z.string(),
  startedAt: moment,
  lastAt: moment,
  run: z
    .strictObject({
      runId: z.string(),
      workflowId: z.string(),
      workflowTitle: z.string(),
      status,
      pending: z.string().nullable(),
    })
    .exactOptional(),
  runs: count,
  branches: count,
  openGaps: count,
  eventCount: count,
  branch: z.string().exactOptional(),
  repository: z.string().exactOptional(),
  trouble: trouble.exactOptional(),
  why: z.string().exactOptional(),
});

const sessionsPage: z.ZodType<SessionsPage> = z.strictObject({
  sessions: z.array(sessionListed),
  found: count,
  here: count,
  nextCursor: z.string().exactOptional(),
  unreadable: z.array(z.strictObject({ sessionId: z.string(), folder: z.string(), message: z.string() })),
  reading: z.strictObject({ done: count, of: count }).exactOptional(),
});

const runHead: z.ZodType<RunHead> = z.strictObject({
  runId: z.string(),
  workflow: workflowOfRun,
  startedAt: moment,
  lastAt: moment,
  status,
  pending: z.string().nullable(),
  root: z.string(),
  preferredTip: z.string(),
  nodes: count,
  branches: count,
  openGaps: count,
  inputs: jsonObject,
});

const sessionHead: z.ZodType<SessionHead> = z.strictObject({
  sessionId: z.string(),
  key: z.string().exactOptional(),
  title: z.string().exactOptional(),
  tags: z.array(z.string()),
  keep: z.boolean(),
  place,
  folder: z.string(),
  startedAt: moment,
  lastAt: moment,
  eventCount: count,
  observations: z.array(
    z.strictObject({
      branch: z.string().exactOptional(),
      commit: z.string().exactOptional(),
      repository: z.string().exactOptional(),
      remote: z.string().exactOptional(),
    }),
  ),
  notes: z.array(noteStory),
  checkpoints: z.array(checkpointStory),
  findings: z.array(finding),
  runs: z.array(runHead),
  trouble: trouble.exactOptional(),
});

const flag = z.literal(true).exactOptional();
const graphNode: z.ZodType<GraphNode> = z.strictObject({
  id: z.string(),
  up: count.exactOptional(),
  step: count.exactOptional(),
  seq: count,
  at: z.number(),
  status: z.enum(['blocked', 'complete', 'complete_with_gaps']).exactOptional(),
  tip: flag,
  preferredTip: flag,
  onWay: flag,
  checkpoints: count.exactOptional(),
  gaps: count.exactOptional(),
  blocks: count.exactOptional(),
  notes: count.exactOptional(),
  artifacts: count.exactOptional(),
  prefs: flag,
  partial: flag,
});

const runGraph: z.ZodType<RunGraph> = z.strictObject({
  sessionId: z.string(),
  run: runHead,
  steps: z.array(z.strictObject({ stepId: z.string(), path: z.string(), title: z.string() })),
  nodes: z.array(graphNode),
  tips: z.array(z.string()),
});

const nodeRef: z.ZodType<NodeRef> = z.strictObject({
  runId: z.string(),
  nodeId: z.string(),
  path: z.string().exactOptional(),
  title: z.string().exactOptional(),
});
const contextChange: z.ZodType<ContextChange> = z.strictObject({
  key: z.string(),
  before: jsonValue.exactOptional(),
  after: jsonValue.exactOptional(),
});

const pendingStep: z.ZodType<PendingStep> = z.strictObject({
  stepId: z.string(),
  path: z.string(),
  title: z.string(),
  requireConfirmation: z.boolean(),
  role: z.string().exactOptional(),
  prompt: z.string(),
  guidance: z.array(z.string()),
  functions: z
    .array(z.strictObject({ name: z.string(), params: z.array(z.string()), text: z.string() }))
    .exactOptional(),
  references: z
    .array(
      z.strictObject({
        id: z.string(),
        title: z.string(),
        path: z.string(),
        purpose: z.string().exactOptional(),
        authoritative: z.boolean(),
      }),
    )
    .exactOptional(),
  delegates: z.array(z.strictObject({ title: z.string(), goal: z.string(), text: z.string() })).exactOptional(),
  expects: z.strictObject({
    notes: z.strictObject({ required: z.boolean(), rules: z.array(z.string()), example: z.string() }),
    artifacts: z.array(
      z.strictObject({
        kind: z.string(),
        required: z.boolean(),
        schema: jsonObject,
        example: jsonObject,
        contract: z.string().exactOptional(),
      }),
    ),
    assessments: z
      .array(
        z.strictObject({
          id: z.string(),
          purpose: z.string(),
          dimensions: z.array(
            z.strictObject({ id: z.string(), purpose: z.string(), levels: z.array(z.string()), required: z.boolean() }),
          ),
          followUps: z.array(z.strictObject({ level: z.string(), guidance: z.string() })),
        }),
      )
      .exactOptional(),
    context: z.array(
      z.strictObject({
        key: z.string(),
        type: z.string(),
        required: z.boolean(),
        values: z.array(jsonValue).exactOptional(),
        description: z.string().exactOptional(),
        wanted: z.string(),
        example: jsonValue,
        neededBy: z.array(z.string()),
      }),
    ),
    confirmation: z.strictObject({ required: z.boolean(), field: z.literal('confirmed') }),
    needs: z.array(z.strictObject({ reason: z.string(), key: z.string(), ask: z.string(), satisfied: z.boolean() })),
  }),
});

const stepDetail: z.ZodType<StepDetail> = z.strictObject({
  sessionId: z.string(),
  run: z.strictObject({ runId: z.string(), workflow: workflowOfRun, status, preferredTip: z.string() }),
  node: nodeStory,
  parent: nodeRef.exactOptional(),
  asSeen: pendingStep.exactOptional(),
  promptMissing: z.string().exactOptional(),
  stepWarnings: z.array(warning),
  done: z.array(z.strictObject({ nodeId: z.string(), edge: edgeStory })),
  context: jsonObject,
  contextChanged: z.array(contextChange),
  openGaps: z.array(gapStory),
  condition: z.string().exactOptional(),
});

const documentsAt: z.ZodType<DocumentsAt> = z.strictObject({
  sessionId: z.string(),
  runId: z.string(),
  nodeId: z.string(),
  documents: z.array(documentStory),
  missing: z.string().exactOptional(),
});

const timeline: z.ZodType<Timeline> = z.strictObject({
  sessionId: z.string(),
  startedAt: moment,
  lastAt: moment,
  lanes: z.array(z.strictObject({ runId: z.string(), title: z.string(), workflowId: z.string() })),
  marks: z.array(
    z.strictObject({
      seq: count,
      event: z.string(),
      at: z.number(),
      kind: z.string(),
      lane: count.exactOptional(),
      nodeId: z.string().exactOptional(),
      says: z.string(),
    }),
  ),
});

const eventTold: z.ZodType<EventTold> = z.strictObject({
  seq: count,
  at: moment,
  kind: z.string(),
  says: z.string(),
  details: z.array(z.string()),
  event: z.string(),
  by: z.string(),
  runId: z.string().exactOptional(),
  nodeId: z.string().exactOptional(),
  file: z.string(),
  line: count,
  merged: flag,
  data: jsonObject,
});

const eventsPage: z.ZodType<EventsPage> = z.strictObject({
  sessionId: z.string(),
  events: z.array(eventTold),
  findings: z.array(finding),
  upToDate: z.boolean(),
  position: z.string(),
});

const stepCompared: z.ZodType<StepCompared> = z.strictObject({
  nodeId: z.string(),
  at: moment,
  output: outputStory,
  gaps: z.array(gapStory),
  context: jsonObject,
});
const nodesCompared: z.ZodType<NodesCompared> = z.strictObject({
  sessionId: z.string(),
  a: nodeRef,
  b: nodeRef,
  ancestor: nodeRef.exactOptional(),
  steps: z.array(
    z.strictObject({
      path: z.string(),
      title: z.string(),
      a: stepCompared.exactOptional(),
      b: stepCompared.exactOptional(),
    }),
  ),
  context: z.array(contextChange),
  contextSame: count,
  preferences: z.strictObject({ a: preferencesSchema, b: preferencesSchema }),
});

const listedWorkflow: z.ZodType<ListedWorkflow> = z.strictObject({
  id: z.string(),
  title: z.string(),
  description: z.string(),
  version: z.string().exactOptional(),
  kind: z.enum(['workflow', 'routine']),
  tags: z.array(z.string()),
  idStatus: z.enum(['namespaced', 'legacy', 'unknown']),
  suggestedId: z.string().exactOptional(),
  source: z.string(),
  file: z.string(),
  hides: z.array(z.strictObject({ source: z.string(), file: z.string() })),
  startable: z.boolean(),
  violations: z.array(jsonObject),
  violationsOmitted: count.exactOptional(),
  warningCount: count.exactOptional(),
});

const workflowsPage: z.ZodType<WorkflowsPage> = z.strictObject({ workflows: z.array(listedWorkflow), here: count });

const workflowDetail: z.ZodType<WorkflowDetail> = z.strictObject({
  workflow: listedWorkflow,
  compiled: jsonObject.exactOptional(),
  hash: z.string().exactOptional(),
  steps: z.array(jsonObject),
  source: z.string(),
  violations: z.array(jsonObject),
  warnings: z.array(jsonObject),
  passedOver: z.array(z.strictObject({ source: z.string(), file: z.string() })),
  drift: z.array(
    z.strictObject({
      sessionId: z.string(),
      runId: z.string(),
      startedAt: moment,
      status,
      hash: z.string(),
      changes: z.array(z.string()),
    }),
  ),
});

const resumeWords: z.ZodType<ResumeWords> = z.strictObject({
  sessionId: z.string(),
  at: nodeRef.exactOptional(),
  stateToken: z.string().exactOptional(),
  sessionToken: z.string().exactOptional(),
  words: z.string(),
  call: z.strictObject({ tool: z.string(), arguments: jsonObject }),
  command: z.string(),
});

const aboutServer: z.ZodType<AboutServer> = z.strictObject({
  version: z.string(),
  workspace: z.string(),
  platform: z.string(),
  connect: z.strictObject({ http: z.string(), stdio: z.string() }),
});

/** Messages of the live streams, by the name of their event. */
export const liveMessages: { readonly [K in keyof LiveMessages]: z.ZodType<LiveMessages[K]> } = {
  ready: z.strictObject({ reset: z.boolean() }),
  session: z.strictObject({ sessionId: z.string(), gone: z.boolean(), head: sessionListed.exactOptional() }),
  events: z.strictObject({
    events: z.array(eventTold),
    findings: z.array(finding),
    gone: z.boolean(),
    upToDate: z.boolean(),
    position: z.string(),
  }),
  stopped: z.strictObject({ message: z.string() }),
  dropped: z.strictObject({ message: z.string() }),
};

/** What the API answers that is told for the page; care has answers of its own. */
export const apiAnswers = {
  aboutServer,
  sessionsPage,
  sessionHead,
  runGraph,
  stepDetail,
  documentsAt,
  timeline,
  eventsPage,
  nodesCompared,
  workflowsPage,
  workflowDetail,
  resumeWords,
};
