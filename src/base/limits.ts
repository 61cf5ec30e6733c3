import { stateLimits } from './state-limits.js';

const KiB = 1024;
const MiB = 1024 * KiB;

/** Every bound of the program, in one place. Bytes unless the name says otherwise. */
export const limits = {
  ...stateLimits,
  /** One line of a segment, its line feed included. */
  line: MiB,
  /** What a line holds besides the data of its event, at most. */
  smallEnvelope: 16 * KiB,
  /** How many lines one event withdraws at most; the rest goes into the next. */
  withdrawnSums: 10_000,
  /** Nesting of a whole line; and of what a caller hands in, which leaves room for our envelope around it. */
  lineDepth: 64,
  callerDepth: 56,

  notes: 64 * KiB,
  context: 256 * KiB,
  artifact: 256 * KiB,
  artifactCount: 50,
  gapCount: 50,
  /** Fields of an object whose names are ours, such as a request itself. */
  requestFields: 100,
  /** Context and output of one request together, as stored. */
  requestStored: 640 * KiB,
  /** The lists of all loops entered on the way to one step, which its event keeps. */
  enteredLists: 256 * KiB,
  /** One list that a loop collects. */
  collected: 32 * KiB,
  /** A title, a reason or a message as an event keeps it; the agent is shown the whole one. */
  recordedTitle: 300,
  recordedReason: 300,
  /** What a person answers to one question. */
  personAnswer: 65_536,
  title: 200,
  tagCount: 20,
  tag: 64,
  sessionKey: 128,
  query: 1000,

  recap: 4 * KiB,
  /** Of what was done before, where an answer also tells what was done after. */
  recapBehind: 2 * KiB,
  /** Of the rounds of all loops, one line each. */
  ledger: 4 * KiB,
  roundLine: 160,
  branchSummary: KiB,
  /** Of what was noted beside a run, in an answer about it and in a list of what was found. */
  noted: KiB,
  notedFound: KiB / 4,
  resumeSnippet: 2 * KiB,
  resumeCandidates: 5,
  answer: 8 * KiB,
  listPage: 50,
  blockers: 10,
  /** How many of the steps that are still to come the graph of a run tells. */
  stepsAhead: 60,
  /** At how many of the other tips that wait it tells them too, and how many there: a map of forty branches stays a map. */
  tipsAhead: 8,
  stepsAheadBeside: 3,
  echo: 96,

  segment: 8 * MiB,
  segmentLines: 50_000,
  /** A whole workflow source file, and one prompt in it. */
  workflowFile: MiB,
  prompt: 64 * KiB,
  promptWarning: 8 * KiB,
  expression: 2 * KiB,
  /** An expression that is made of what an author wrote otherwise: a long condition, a list that stands in the file. */
  compiledExpression: 32 * KiB,
  loopIterations: 1000,
  loopNesting: 8,
  steps: 2000,
  /** Expressions in one file, those in its texts included; inputs and context keys that it declares together. */
  expressions: 10_000,
  values: 2000,
  /** What an `enum` may list; rules on the notes of one step, and functions of one file. */
  choices: 500,
  rules: 200,
  /** Moves the engine may make while it looks for the next step: nested loops of skipped steps end here. */
  engineMoves: 20_000,

  /** One segment of a workflow id, a step id, the name of an input, a context key or a loop variable; characters. */
  definitionName: 100,
  /** A step that WorkRail does itself: how long it may take, the least pause between two tries, retries, pages and items. */
  commandMs: 7 * 24 * 60 * 60 * 1000,
  /** Of what is kept of an answer in the log. */
  commandResult: 256 * KiB,
  recordedUrl: 2 * KiB,
  recordedBody: 2 * KiB,
  /** How long an agent's call waits for steps that WorkRail does, and how often it is looked whether a run was canceled. */
  runPatienceMs: 20_000,
  runWaitMs: 25_000,
  /** Of an answer of a server, in what is told of a failure. */
  toldPayload: 4 * KiB,
  stopLookMs: 300,
  /** How long whoever cancels a run, or repairs it, waits for the process that does its steps, and how often they look. */
  cancelMs: 1000,
  repairsMs: 5000,
  letGoLookMs: 20,
  progressMs: 10_000,
  /** How long the page’s answer waits for the step that follows from it. */
  answerPatienceMs: 150,
  /** Of such a step in what people read: its last tries, and how much of an answer in the step and in a report. */
  triesTold: 20,
  bodyTold: 16 * KiB,
  bodyReported: 2 * KiB,
  /** A document of a shared state in a report, and how many of its versions. */
  stateReported: 64 * KiB,
  versionsReported: 50,
  /** How often a request that may be repeated is sent before somebody is asked what became of it. */
  unknownTries: 3,
  /** What is too long for that, or no text, on this machine: all together, and for how long. */
  blobs: 64 * MiB,
  blobsKeptMs: 30 * 24 * 60 * 60 * 1000,
  /** Numbers of a claim, the last of which counts. */
  claimsKept: 3,
  /** Answers that one process keeps in memory alone; how many texts of one are masked, and from which length on. */
  secretAnswers: 500,
  secretTexts: 100,
  secretTextLeast: 8,
  /** A file that is sent. */
  sentFile: 64 * MiB,
  commandPauseMs: 1000,
  commandRetries: 10,
  commandPages: 1000,
  commandPagesUsual: 20,
  commandItems: 100_000,
  /** Of all pages of one list as they come; what is kept of them has the bounds of one answer. */
  commandPagesBytes: 256 * MiB,
  /** What it sends, as the file has it, and the names of its parameters. */
  commandBody: 64 * KiB,
  parameterName: 200,
  /** A step's id once the ids of the calls around it stand before it; characters. */
  expandedName: 200,
  /** Calls of routines that go into each other, and a workflow with everything expanded. */
  callDepth: 8,
  compiledWorkflow: 4 * MiB,
  /** Keys, values and signs of YAML in one file. */
  sourceSigns: 200_000,
  /** References to YAML anchors in one file, counted as they multiply. */
  yamlAliases: 100,
  /** How deep any YAML may nest, for the parser's sake; each format has a lower bound of its own. */
  yamlDepth: 300,
  /** Instructions that a regular expression may become: each takes its part of the time for each character. */
  patternSize: 1000,
  /** Past how many, told from its text, it is not even tried: a few letters can write out a million. */
  patternWritten: 4000,
  /** Syntax nodes visited, elements and characters made while one expression is evaluated. */
  expressionWork: 1_000_000,
  /** The same for all expressions on the way from one step to the next together, and for all that stand in one step. */
  stepWork: 20_000_000,
  /** JSON Schemas: how deep, how much there is to compile of one, and of all of a file or a step together. */
  schemaDepth: 200,
  schemaParts: 2_000,
  schemaPartsTogether: 10_000,
  /** How many parts of a schema one value may meet on the way into it, references followed. */
  schemaWork: 10_000,
  /** Parts applied, characters and elements looked at while artifacts are judged, all of a step or a file together. */
  judgingWork: 10_000_000,
  /** Errors of one part that are gathered; past them the first one is told. */
  judgingErrors: 2_000,
  /** Parsed expressions, compiled patterns and schemas kept for the next call; each its own count. */
  remembered: 1000,
  /** Violations reported of one file. */
  violations: 200,
  /** How deep folders of workflow files are searched. */
  folderDepth: 4,

  /** One message of an MCP client; the SDK's transport gives up on a longer one. */
  mcpMessage: 10 * MiB,
  /** Calls of one client under way at the same time, before more is read of it; and answers that it leaves unread. */
  openCalls: 1000,
  unreadAnswers: 64 * MiB,
  /** What a server has logged and nobody has read; more is not said. */
  unreadLog: 256 * KiB,
  /** Client sessions of MCP over HTTP at the same time, and how long a silent one is kept. */
  httpSessions: 100,
  httpSessionIdleMs: 12 * 60 * 60 * 1000,
  /** How long a client may take to name its roots before the working folder is taken. */
  rootsWaitMs: 1_500,
  /** How long a person who is asked through the client may think; then it counts as a no. */
  personWaitMs: 5 * 60 * 1000,
  /** How long a client is told to wait before it looks at a task again. */
  taskPollMs: 2000,
  /** How often a task is looked at, at most, for somebody who waits for its end, how long, and for how many such at once. */
  taskLookMs: 50,
  taskWaitMs: 30 * 60 * 1000,
  taskWaits: 64,
  /** Answers kept for a client that takes them as tasks alone, where no log has them. */
  tasksAtOnce: 32,
  /** How often one call asks the person before it, where what they filled in does not fit or more is asked. */
  formsOfCall: 3,
  /** Of what was handed in, in a form. */
  formWork: 1500,
  /** How long an answer under way is waited for when the client has gone, and its last bytes. */
  lastAnswersMs: 10_000,
  lastBytesMs: 1_000,

  /** A bundle: its manifest, one part, how many parts, and everything expanded. */
  bundleManifest: 4 * MiB,
  bundlePart: 64 * MiB,
  bundleParts: 20_000,
  bundleExpanded: 4096 * MiB,
  /** How many times its size a bundle may expand to, once it is larger than what may be expanded freely. */
  bundleExpansion: 200,
  bundleFreely: 64 * MiB,
  /** How long what an import left lying is kept where nobody can know whether it is still at work. */
  stagingStaleMs: 24 * 60 * 60 * 1000,
  /** How long a segment must have rested in its place before its second name goes, and after what pause it is given anew. */
  spareRestMs: 7 * 24 * 60 * 60 * 1000,
  spareAnewMs: 60 * 60 * 1000,
  /** Bytes of a file that are handed on at a time. */
  chunk: 64 * KiB,
  /** Nesting of a compiled workflow that comes from elsewhere. */
  pinDepth: 256,

  lockWaitMs: 5_000,
  lockRetryMs: { least: 1, most: 5 },
  lockStaleMs: 10_000,
  leaseIdleMs: 40,
  nearMissSessions: 200,
  nearMissNodes: 2_000,
  keysKept: 8,
  snapshotEvery: 512,
  /** How many entries of a table are read from a snapshot at once. */
  snapshotPiece: 64,
  /** A lock whose holder did not even write its name by then was killed in between. */
  lockNamelessMs: 250,
  /** How long a lease is held while another process is known to wait for it. */
  leaseSharedMs: 16,
  /** How long a lease may lie free before others do not wait any more for whoever is first in line. */
  leaseLeftMs: 25,
  /** Events of sessions kept folded in memory, and files (segments, snapshots) kept open for sessions, before the longest unused are let go. */
  residentEvents: 60_000,
  /** What a session keeps in memory besides, as documents that agents share: so many bytes count as one event. */
  residentEventBytes: 2 * KiB,
  heldSegments: 64,
  /** How long a torn end is given to turn out to be a write under way. */
  tornWaitMs: 5,
  /** How long somebody who follows a session waits at most before looking at its files. */
  followLookMs: 500,
  /** How much of one run's text resuming looks at: near its tip, in characters, and in all that it recorded. */
  searchNearTip: 16 * KiB,
  searchDeep: MiB,
  /** Of what is typed or said, how many different words are searched for: each is a bit of a number. */
  searchWords: 30,
  /** A list of all sessions: how long the first answer waits for what is not read yet, and for how long reading goes on without a pause. */
  firstListMs: 400,
  /** How long after the first list it is made ready to be searched. */
  firstSearchMs: 50,
  indexSliceMs: 12,
  /** At each look for somebody who follows: how long files may be looked at that nobody has left word of. */
  indexLookMs: 25,
  /** A folder that has not changed for so long bears another time once it changes again. */
  settledMs: 2_000,
  /** The same where it keeps more than whole seconds. */
  settledFineMs: 50,
  /** Notes of which sessions are about to grow: the most bytes, how often a writer looks, and how long a note is heeded. */
  growthNotes: MiB,
  growthLookEvery: 256,
  growthKeptMs: 15_000,
  /** At each look at everything: how long files may be looked at that nobody has left word of. */
  indexRollMs: 6,
  /** The index is kept on disk where there are so many sessions, and written anew once so many have changed. */
  indexKeptFrom: 16,
  indexSaveAfter: 64,
  indexSaveMs: 200,
  /** For how long nobody must have asked for a list before the index is written, and how long that is waited for. */
  indexQuietMs: 1_000,
  indexSaveLatestMs: 15_000,
  /** What workflow files compiled to is kept on disk once so many were compiled anew; the most bytes, and for how many sets of folders. */
  compiledKeptFrom: 16,
  compiledKept: 32 * MiB,
  compiledKeptFiles: 8,
  /** How often a search begins anew because what it found has changed before it was told. */
  resumeTries: 3,
  /** How often one request may decide and append. */
  turnsOfRequest: 10_000,
  /** Changed sessions that are remembered for followers who come back. */
  changesKept: 20_000,
  /** The most sessions, or events, of one page. */
  apiPage: 500,
  /** Of the notes of the last step, in a list of sessions. */
  lastSaid: 160,
  apiEvents: 5_000,
  /** Sessions that wait for a person, told with what they wait for. */
  waitingShown: 50,
  /** Of how many drafts that wait the agent's name is kept, and how long such a note may be. */
  agentsNoted: 1_000,
  agentNote: 4 * KiB,
  /** Server-sent events: how often a silent stream says that it lives, and how long a reader may take for one message. */
  keepAliveMs: 15_000,
  slowReaderMs: 20_000,
  /** Streams open at the same time. */
  liveStreams: 200,
  /** What a request may carry: its head, a JSON body, an uploaded bundle. */
  requestHead: 128 * KiB,
  requestBody: 256 * KiB,
  importBody: 1024 * MiB,
  /** Connections at the same time, in all and of one address: fewer than the files that any system lets a program open. */
  httpConnections: 512,
  httpConnectionsOfAddress: 384,
  /** How long the head of a request may take, and how long its body or whoever reads the answer may stand still. */
  requestHeadMs: 10_000,
  requestPauseMs: 30_000,
  /** How long open answers are waited for when the server is told to end. */
  serverCloseMs: 2_000,
  /** How often connections that have become idle are then looked for. */
  serverIdleMs: 20,
  /** How long ago something must have been moved to the trash before it is deleted: the move may not have been looked over yet. */
  trashRestMs: 10_000,
  /** How old a session's last event must be before it is pruned, where nobody says. */
  pruneAfterMs: 90 * 24 * 60 * 60 * 1000,
  /** What was worked on so lately may be work under way, and is only taken away by name. */
  pruneQuietMs: 60 * 60 * 1000,
  /** How often a server that was told to looks for old sessions, and how long nobody must have called it before. */
  retentionEveryMs: 24 * 60 * 60 * 1000,
  /** How long before it goes to the trash by itself a session is told to do so in lists. */
  retentionTellMs: 14 * 24 * 60 * 60 * 1000,
  quietMs: 5 * 60 * 1000,
  /** How soon another look at the same session is noted; runs of retention that are told of, and sessions of each by name. */
  lookNoteMs: 60 * 60 * 1000,
  retentionRunsTold: 10,
  retentionNamesTold: 100,
  /** The name of a branch as git keeps it: a path, which no system lets be longer. The address of a remote. */
  gitRef: 4 * KiB,
  remote: 2 * KiB,
  /** An OpenAPI document together with its other files; how many those may be, and how deep it may nest. */
  apiDocument: 32 * MiB,
  /** Kept for reading, with its layout. */
  apiKept: 128 * MiB,
  apiFiles: 200,
  /** Of the file that says how a catalog is called. */
  catalogFile: 64 * KiB,
  catalogs: 200,
  catalogsIndexed: 40,
  providerFields: 12,
  providerPages: 10,
  providerItems: 2_000,
  providerMs: 30_000,
  /** Lists that are remembered at once. */
  providersKept: 100,
  choicesShown: 50,
  choicesOffered: 10,
  commandsShown: 20,
  commandPreview: 25,
  commandsBytes: 7 * KiB,
  apiDepth: 200,
  /** Up to this size it is told on which line a problem stands; of a longer one, under which pointer. */
  apiPlaces: 8 * MiB,
  /** References to YAML anchors in one document, counted as they multiply. */
  apiAliases: 10_000,
  /** How long a document may be read, and with how much memory, in MiB. */
  apiReadMs: 20_000,
  apiReadMiB: 512,
  /** Operations of one document, and parameters of one operation. */
  apiOperations: 20_000,
  apiParameters: 500,
  /** Schemas by name that go with one operation: how many, and how large together. */
  apiDefinitions: 500,
  apiSchemas: MiB,
  /** References that lead to references. */
  apiReferences: 32,
  /** An example that is told with what it is one of. */
  apiExample: 4 * KiB,
  /** Of one operation in the list of all; characters. */
  apiSummary: 300,
  apiDescription: 400,
  apiTags: 20,
  /** Warnings of the strict validator. */
  apiStrictWarnings: 20,
  /** One value of a parameter as it is sent; characters. */
  apiParameterText: 64 * KiB,
  /** One try of a call: in all, until it is connected, and what it may be answered; once it is unpacked too. */
  callMs: 30_000,
  callConnectMs: 10_000,
  callAnswer: 16 * MiB,
  callAnswerDepth: 500,
  /** The head of an answer. */
  callHead: 64 * KiB,
  /** Calls under way to one origin, and redirects of one. */
  callsAtOnce: 4,
  callRedirects: 5,
  /** Further tries where nobody says, the first pause before one, and the longest that a server may ask for. */
  callRetries: 2,
  callPauseMs: 500,
  callRetryUpToMs: 60_000,
  /** How long before its end a token is replaced, and how long one lives that does not say. */
  tokenSkewMs: 60_000,
  tokenMs: 5 * 60 * 1000,
  /** A shorter secret could not be kept out of what is recorded: it stands in any text. */
  secretLeast: 4,
  /** Small files read whole: keys, configuration, git's own. */
  smallFile: MiB,
} as const;
