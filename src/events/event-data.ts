import { z } from 'zod';
import {
  afterTry,
  answerKinds,
  blockerCodes,
  callOutcomes,
  commandSources,
  confirmers,
  gapCategories,
  gapSeverities,
  repeatRules,
  settlements,
  noBodyReasons,
  stopStatuses,
  waitEnds,
  warningCodes,
  withdrawalReasons,
} from '../base/closed-sets.js';
import {
  type AttemptId,
  type CallId,
  type EventSum,
  type GapId,
  idPatterns,
  type KeyId,
  type RunId,
  type NodeId,
  type WorkflowHash,
} from '../base/ids.js';
import { isJsonObject, type JsonObject, type JsonValue } from '../base/json-value.js';
import { preferencesSchema } from '../base/preferences-schema.js';
import { branded } from './branded.js';
import { stateEvents, stateRead } from './state-events.js';

const nodeId = branded<NodeId>(idPatterns.node);
const attemptId = branded<AttemptId>(idPatterns.attempt);
const eventSum = branded<EventSum>(idPatterns.sum);
const gapId = branded<GapId>(idPatterns.gap);
const keyId = branded<KeyId>(idPatterns.key);
const callId = branded<CallId>(idPatterns.call);
const runId = branded<RunId>(idPatterns.run);
const workflowHash = branded<WorkflowHash>(idPatterns.workflowHash);
/** A caller's JSON, kept as it came: a record schema would lose keys such as `__proto__`. */
const jsonObject = z.custom<JsonObject>(isJsonObject, 'expected an object');
const digest = z.string().regex(/^[0-9a-f]{16}$/u);
const count = z.number().int().min(0);

const stepName = z.strictObject({ id: z.string(), path: z.string(), title: z.string() });
const frame = z.strictObject({ loop: z.string(), iteration: z.number().int().min(1) });

/** Where a run stands: the loops it is inside of, outermost first, and the step that waits, or that WorkRail itself does. */
const position = z.strictObject({
  id: z.string(),
  path: z.string(),
  title: z.string(),
  frames: z.array(frame),
  does: z.enum(['run', 'fail']).exactOptional(),
});

const output = z.strictObject({ notes: z.string().exactOptional(), artifacts: z.array(jsonObject).exactOptional() });

const gap = z.strictObject({
  id: gapId,
  category: z.enum(gapCategories),
  reason: z.string(),
  detail: z.string(),
  severity: z.enum(gapSeverities),
  assumption: z.string().exactOptional(),
  resolves: gapId.exactOptional(),
});

const warning = z.strictObject({ code: z.enum(warningCodes), message: z.string(), path: z.string().exactOptional() });

const blocker = z.strictObject({
  code: z.enum(blockerCodes),
  pointer: z.string(),
  message: z.string(),
  fix: z.string(),
});

const skip = z.strictObject({ path: z.string(), title: z.string(), reason: z.string() });
/** The list of a foreach is fixed when the loop is entered. */
const entered = z.strictObject({ loop: z.string(), items: z.array(z.custom<JsonValue>()) });
/** What the author of a loop has said of a round that ended. */
const roundEnded = z.strictObject({ loop: z.string(), round: count, line: z.string() });
const added = z.custom<{ readonly [key: string]: readonly JsonValue[] }>(
  (value) => isJsonObject(value) && Object.values(value).every(Array.isArray),
  'expected lists by name',
);

const keptFile = z.strictObject({ sha256: z.string().regex(/^[0-9a-f]{64}$/u), bytes: count, type: z.string() });

/** What the engine found on its way to the next step. */
const way = {
  next: position.exactOptional(),
  entered: z.array(entered).exactOptional(),
  skipped: z.array(skip).exactOptional(),
  warnings: z.array(warning).exactOptional(),
  gaps: z.array(gap).exactOptional(),
  /** What the next step is told of the shared state. */
  read: stateRead.exactOptional(),
};

/** Which key seals the tokens of the answer and which engine decided. */
const made = { key: keyId, engine: z.string() };

const branch = z.strictObject({ child: nodeId, tip: nodeId, steps: count, newest: eventSum.exactOptional() });

/** What a fork's answer spoke of, so that it can be given again after the graph has grown. */
const fork = z.strictObject({
  branches: z.array(branch),
  branchesOmitted: count,
  preferredTip: nodeId,
  recap: z.array(eventSum),
  recapOmitted: count,
});

/** Where the other runs of the session waited, which the answer names. */
const openRuns = z.array(nodeId).min(1).exactOptional();

export const eventData = {
  session_started: z.strictObject({
    key: z.string().exactOptional(),
    title: z.string().exactOptional(),
    tags: z.array(z.string()).exactOptional(),
    preferences: preferencesSchema,
    producer: z.string(),
  }),
  run_started: z.strictObject({
    workflowId: z.string(),
    workflowHash,
    title: z.string(),
    version: z.string(),
    /** Digest of the source file, to tell later whether it has changed. */
    source: z.string(),
    inputs: jsonObject,
    context: jsonObject,
    preferences: preferencesSchema,
    /** Digest of what was asked: the same start again finds this run. */
    request: digest,
    /** The run that it goes on from: what that sent without a change is not sent again. */
    repairs: runId.exactOptional(),
    openRuns,
    ...way,
    ...made,
  }),
  step_acked: z.strictObject({
    parent: nodeId,
    attempt: attemptId,
    /** The title of the step that was done; the rest of it is what came next at the parent. */
    step: z.string(),
    /** Digest of the output and context that came: tells a retry from a redo. */
    brought: digest,
    output: output.exactOptional(),
    context: jsonObject.exactOptional(),
    /** What came to lists of the context, so that a list that grows is not written again with each step. */
    added: added.exactOptional(),
    rounds: z.array(roundEnded).exactOptional(),
    confirmed: z.literal(true).exactOptional(),
    /** WorkRail did the step: the call that it went on with. */
    command: z.strictObject({ call: callId, source: z.enum(commandSources) }).exactOptional(),
    /** What a person had answered to its draft, which it goes on with. */
    answers: z.array(eventSum).min(1).exactOptional(),
    /** These three only where the parent was made with others. */
    preferences: preferencesSchema.exactOptional(),
    key: made.key.exactOptional(),
    engine: made.engine.exactOptional(),
    ...way,
    /** At the end of a run: the gaps that stand open, which its answer names. */
    openGaps: z.strictObject({ shown: z.array(gapId), omitted: count, critical: count }).exactOptional(),
    openRuns,
    fork: fork.exactOptional(),
  }),
  step_blocked: z.strictObject({
    attempt: attemptId,
    step: stepName,
    /** Digest of the whole request: the same request again is answered from here. */
    request: digest,
    blockers: z.array(blocker).min(1),
    output: output.exactOptional(),
    context: jsonObject.exactOptional(),
    confirmed: z.literal(true).exactOptional(),
    gaps: z.array(gap).exactOptional(),
    warnings: z.array(warning).exactOptional(),
    /** The user said no to what was handed in: why, as far as they said. */
    refused: z.string().exactOptional(),
    /** WorkRail does the step, and nobody handed it in: which call waits, and which try of it has an unknown outcome. */
    command: z.strictObject({ call: callId, try: z.number().int().min(1).exactOptional() }).exactOptional(),
    preferences: preferencesSchema,
    ...made,
  }),
  /** A person's own word on what a draft asks for, given at their own door. The envelope says who they are. */
  question_answered: z.strictObject({
    /** The draft that it is about: changed work asks again. */
    block: eventSum,
    /** Of its blockers, the pointer of the one that is answered. */
    question: z.string(),
    answer: z.enum(answerKinds),
    /** The key that was asked for with its value; without one for a secret, which is recorded as given. */
    context: jsonObject.exactOptional(),
    /** Why not, or what they answered in words. */
    reason: z.string().exactOptional(),
    /** On the command line: whether it was given at a terminal. */
    terminal: z.boolean().exactOptional(),
    /** Of a command's question: that it was this installation that was told. */
    seal: digest.exactOptional(),
  }),
  /** Nobody waits any more for what a draft asks, which stands as it stood. */
  wait_ended: z.strictObject({ block: eventSum, how: z.enum(waitEnds) }),
  checkpoint: z.strictObject({
    output,
    gaps: z.array(gap).exactOptional(),
    brought: digest,
    /** Output of a replay that differed from what was recorded; its context is kept here and steers nothing. */
    late: z.strictObject({ attempt: attemptId, context: jsonObject.exactOptional() }).exactOptional(),
    warnings: z.array(warning).exactOptional(),
    key: keyId,
  }),
  /** A request that changes something is about to leave: from here on it may have been done. */
  command_sent: z.strictObject({
    call: callId,
    /** Tries of this call so far, this one included. */
    try: z.number().int().min(1),
    catalog: z.string(),
    command: z.string(),
    method: z.string(),
    /** Without secrets. */
    url: z.string(),
    /** Of what is sent, secrets by their names: another request has another. */
    digest,
    body: z.strictObject({ bytes: count, preview: z.string() }).exactOptional(),
    repeat: z.enum(repeatRules),
    /** Which installation sent it, and from which data root. */
    home: digest,
  }),
  /** One try of a command is over. */
  command_done: z.strictObject({
    call: callId,
    /** Tries of this call so far, this one included. */
    try: z.number().int().min(1),
    catalog: z.string(),
    command: z.string(),
    method: z.string(),
    /** Without secrets. */
    url: z.string(),
    outcome: z.enum(callOutcomes),
    then: z.enum(afterTry),
    /** How long it waits before it is sent again. */
    waitMs: count.exactOptional(),
    status: z.number().int().exactOptional(),
    /** Those that say something of the answer, by their names in lower case. */
    headers: jsonObject.exactOptional(),
    /** Of the body as it came. */
    bytes: count,
    ms: count,
    pages: z.number().int().min(1).exactOptional(),
    /** The call that this was taken from: nothing was sent here. */
    of: callId.exactOptional(),
    /** What is kept of the body. */
    body: z.custom<JsonValue>((value) => value !== undefined).exactOptional(),
    /** Instead of it where it is long, or no text: its bytes are beside the session, on this machine and for a while. */
    file: keptFile.exactOptional(),
    noBody: z.enum(noBodyReasons).exactOptional(),
    error: z.strictObject({ code: z.string(), message: z.string(), action: z.string() }).exactOptional(),
  }),
  /** Somebody says what became of a command whose outcome nobody knew. */
  command_settled: z.strictObject({
    call: callId,
    try: z.number().int().min(1),
    choice: z.enum(settlements),
    /** What it gave, as far as they know. */
    body: z.custom<JsonValue>((value) => value !== undefined).exactOptional(),
    reason: z.string(),
  }),
  /** The user agrees that requests are sent which change something: those of a plan, or one. */
  plan_confirmed: z.strictObject({
    /** Hash of the plan, or of the one request. */
    plan: z.string(),
    writes: z.array(z.strictObject({ path: z.string(), command: z.string() })),
    home: digest,
    by: z.enum(confirmers),
    /** That it was this installation that was told: nobody else can write it. */
    seal: digest,
  }),
  /** The run goes no further: on this branch, or, without a node, on any. */
  run_stopped: z.strictObject({
    status: z.enum(stopStatuses),
    code: z.string(),
    message: z.string(),
    call: callId.exactOptional(),
  }),
  observation: z.strictObject({
    branch: z.string().exactOptional(),
    commit: z.string().exactOptional(),
    repository: z.string().exactOptional(),
    remote: z.string().exactOptional(),
    /** Digest of the repository's root folder, never its path. */
    root: z.string().exactOptional(),
  }),
  preferences_changed: z.strictObject({ preferences: preferencesSchema }),
  note_added: z.strictObject({ text: z.string() }),
  session_labelled: z.strictObject({
    title: z.string().exactOptional(),
    tags: z.array(z.string()).exactOptional(),
    keep: z.boolean().exactOptional(),
  }),
  lines_withdrawn: z.strictObject({
    sums: z.array(eventSum).min(1),
    reason: z.enum(withdrawalReasons),
    detail: z.string(),
  }),
  ...stateEvents,
} as const;

export type EventKind = keyof typeof eventData;
export type EventData<K extends EventKind> = z.infer<(typeof eventData)[K]>;

export type Position = z.infer<typeof position>;
export type Output = z.infer<typeof output>;
export type Gap = z.infer<typeof gap>;
export type Warning = z.infer<typeof warning>;
export type Blocker = z.infer<typeof blocker>;
export type Skip = z.infer<typeof skip>;
export type Fork = z.infer<typeof fork>;
export type StepName = z.infer<typeof stepName>;
