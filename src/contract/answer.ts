import { z } from 'zod';
import type { JsonObject } from '../base/json-value.js';
import { modeNames, type Preferences } from '../base/preferences.js';
import { preferencesSchema } from '../base/preferences-schema.js';
import type { ReadonlyOutput } from '../base/readonly-output.js';
import type { NextCall } from '../base/rejection.js';
import type { CommandsTold } from './command-told.js';
import type { DraftTold, PersonAnswerTold } from './draft-told.js';
import type { LedgerTold } from './ledger-told.js';
import { count, flag, jsonObject, jsonObjects, jsonValue, path, text, texts } from './described.js';

const expectedKey = z.strictObject({
  key: text('Context key'),
  type: text('Type of its value'),
  required: flag('Whether the step requires it'),
  values: z.array(jsonValue('One of them')).describe('The only values allowed').exactOptional(),
  description: text('What it means').exactOptional(),
  wanted: text('What is valid, in words'),
  example: jsonValue('A valid value'),
  neededBy: texts('What reads it later'),
});
export type ExpectedKey = ReadonlyOutput<typeof expectedKey>;

const assessmentExpected = z.strictObject({
  id: text('ID of the assessment'),
  purpose: text('What to assess'),
  dimensions: z
    .array(
      z.strictObject({
        id: text('ID of the dimension'),
        purpose: text('What to assess in it'),
        levels: texts('The levels to choose from'),
        required: flag('Whether it is required'),
      }),
    )
    .describe('The dimensions to assess'),
  followUps: z
    .array(z.strictObject({ level: text('The level that needs it'), guidance: text('What to do then') }))
    .describe('What to do if a dimension has a certain level'),
});

/** What the step wants handed back, complete enough that a script which reads nothing else can finish the run. */
const expects = z.strictObject({
  notes: z
    .strictObject({
      required: flag('Whether the step requires notes'),
      rules: texts('Rules for the notes'),
      example: text('Notes that follow the rules'),
    })
    .describe('What notes are expected'),
  artifacts: z
    .array(
      z.strictObject({
        kind: text('Kind of artifact'),
        required: flag('Whether the step requires it'),
        schema: jsonObject('JSON Schema it must match'),
        example: jsonObject('An artifact that matches the schema'),
        contract: text('The output contract that defines it').exactOptional(),
      }),
    )
    .describe('What artifacts are expected'),
  assessments: z.array(assessmentExpected).describe('What to assess').exactOptional(),
  context: z.array(expectedKey).describe('What context is expected'),
  confirmation: z
    .strictObject({
      required: flag('Whether the user must agree to the step'),
      where: text('When it is needed, if that depends on the output of the step').exactOptional(),
      field: z.literal('confirmed').describe('The field of the request that says so'),
    })
    .describe('Whether the user’s agreement is expected'),
  needs: z
    .array(
      z.strictObject({
        reason: text('Why only the user can give it'),
        key: text('Context key for the answer'),
        ask: text('What to ask the user'),
        satisfied: flag('Whether the context already has it'),
      }),
    )
    .describe('What only the user can give'),
});
export type Expects = ReadonlyOutput<typeof expects>;

export const pendingStep = z.strictObject({
  stepId: text('ID of the step'),
  path,
  title: text('Title of the step'),
  requireConfirmation: flag('Whether the user’s agreement is needed'),
  role: text('The agent’s role').exactOptional(),
  prompt: text('What to do, with every placeholder filled in'),
  guidance: texts('Guidance'),
  functions: z
    .array(
      z.strictObject({
        name: text('Name of the function'),
        params: texts('Names of its parameters'),
        text: text('What it does'),
      }),
    )
    .describe('Functions that the prompt calls by name')
    .exactOptional(),
  references: z
    .array(
      z.strictObject({
        id: text('ID of the reference'),
        title: text('Its title'),
        path: text('Where it is'),
        purpose: text('What it is for').exactOptional(),
        authoritative: flag('Whether it is binding'),
      }),
    )
    .describe('What else to read')
    .exactOptional(),
  delegates: z
    .array(
      z.strictObject({
        title: text('Its title'),
        goal: text('What it must achieve'),
        text: text('Instructions for the sub-agent'),
      }),
    )
    .describe('Independent parts that sub-agents can do')
    .exactOptional(),
  expects: expects.describe('Expected output of the step'),
});
export type PendingStep = ReadonlyOutput<typeof pendingStep>;

export const warningTold = z.strictObject({
  code: text('Kind of warning'),
  message: text('The warning'),
  path: text('Path of the step it is about').exactOptional(),
  recommended: preferencesSchema
    .extend({ mode: z.enum(modeNames).describe('The mode with that name, if there is one').exactOptional() })
    .describe(
      'The most autonomous choice that the author recommends, if the warning is about a choice that goes further',
    )
    .exactOptional(),
});
export type WarningTold = ReadonlyOutput<typeof warningTold>;

export const gapTold = z.strictObject({
  id: text('ID of the gap'),
  category: text('What kind of gap it is'),
  reason: text('Why it is open'),
  detail: text('What is missing, assumed or skipped'),
  severity: text('How severe it is'),
  assumption: text('What was assumed instead').exactOptional(),
  resolves: text('ID of an earlier gap that this one resolves').exactOptional(),
});
export type GapTold = ReadonlyOutput<typeof gapTold>;

export interface RecapEntryTold {
  readonly path: string;
  readonly title: string;
  readonly kind: string;
  readonly confirmed?: true;
  readonly notes?: string;
  readonly artifacts?: readonly string[];
  readonly gaps?: readonly string[];
  readonly cut?: { readonly before: number; readonly after: number };
}

export interface RecapTold {
  /** The first notes of the run, where they are older than what is shown. */
  readonly first?: RecapEntryTold;
  readonly entries: readonly RecapEntryTold[];
  readonly omitted: number;
  readonly policy: string;
  /** Send it as page to read what was left out. */
  readonly olderPage?: string;
}

/** What the run was given and what has been set on the way, each cut to a line. */
export interface KnownTold {
  readonly inputs: readonly string[];
  readonly context: readonly string[];
  /** No value is cut, and none is left out. */
  readonly isWhole: boolean;
  /** Send it as page to read all of it whole, with every output and artifact. */
  readonly page: string;
  readonly text?: string;
  readonly nextPage?: string;
}

/** What artifacts have folded into so far: findings, changed files, a review's header. */
export interface DocumentTold {
  readonly name: string;
  readonly fold: string;
  /** How many fields, rows or entries it has. */
  readonly size: number;
  /** How many of them are open, and how many are not, where some are not. */
  readonly standing?: string;
  /** Send it as page to read the document. */
  readonly page: string;
  readonly text?: string;
  readonly nextPage?: string;
}

export interface BranchTold {
  readonly name: string;
  readonly steps: number;
  readonly path: readonly string[];
  readonly pending: string | null;
  readonly newest?: string;
  readonly stateToken: string;
  readonly preferred: boolean;
}

/** A page of what one answer cannot hold. */
export type LookedAt = 'recap' | 'branches' | 'noted' | 'record' | 'document';

/** Another tip of the run, with the call that looks at it. */
export interface OtherBranchTold {
  readonly status: string;
  readonly pending: string | null;
  readonly newest?: string;
  readonly look: NextCall;
}

/** Another run of the session that waits, with the call that looks at it. */
export interface OpenRunTold {
  readonly workflow: string;
  readonly pending: string;
  readonly look: NextCall;
}

/** The answer to start, continue and checkpoint. */
export interface ExecutionAnswer extends CommandsTold {
  readonly kind: 'ok' | 'blocked' | 'complete' | 'running' | 'failed' | 'canceled';
  /** What this call did, or did when it was first made. */
  readonly happened: 'started' | 'advanced' | 'forked' | 'blocked' | 'looked_at_tip' | 'looked_back';
  readonly stateToken: string;
  readonly ackToken?: string;
  readonly pending: PendingStep | null;
  /** Steps done on the way to this one. */
  readonly stepsDone: number;
  /** About how many steps the whole run has: without those that what is known leaves out, a loop that cannot be told counted once. */
  readonly stepsAbout?: number;
  readonly isComplete: boolean;
  readonly status: 'in_progress' | 'blocked' | 'running' | 'complete' | 'complete_with_gaps' | 'failed' | 'canceled';
  readonly session: { readonly sessionId: string; readonly runId: string };
  readonly workflow: {
    readonly id: string;
    readonly title: string;
    readonly hash: string;
    readonly description?: string;
    readonly guidance?: readonly string[];
    readonly preconditions?: readonly string[];
    readonly clarify?: readonly string[];
  };
  readonly preferences: Preferences;
  /** This ack changed them. */
  readonly preferencesChanged?: true;
  readonly warnings: readonly WarningTold[];
  /** What this call, or the one it repeats, put on record. */
  readonly recorded?: {
    readonly step: string;
    readonly notes?: string;
    readonly artifacts: number;
    readonly context: readonly string[];
    readonly redo?: NextCall;
  };
  /** What the user had answered to it themselves, which it went on with. */
  readonly answered?: readonly PersonAnswerTold[];
  /** This call brought other work than the step holds: where that stands, and the call that makes a branch of it. */
  readonly otherWork?: {
    readonly step: string;
    /** How the notes of the step begin, where it has any. */
    readonly holds?: string;
    /** How what was kept begins. */
    readonly kept?: string;
    /** In which parts the two differ. */
    readonly differs: readonly string[];
    /** Takes it, with nothing to send again; made once more it shows that branch. */
    readonly branch: NextCall;
  };
  /** Other work that came for this step and waits beside it: how it begins, and the call that makes a branch of it. */
  readonly keptBeside?: readonly { readonly notes?: string; readonly branch: NextCall }[];
  readonly branches?: readonly BranchTold[];
  readonly branchesOmitted?: number;
  /** The call that shows the branches left out. */
  readonly moreBranches?: NextCall;
  readonly preferredTip?: { readonly stateToken: string };
  /** Tips of the run besides this one and the preferred one, the newest first. */
  readonly otherBranches?: readonly OtherBranchTold[];
  readonly otherBranchesOmitted?: number;
  /** Other runs of the session that wait, told where one begins, ends or is looked at. */
  readonly openRuns?: readonly OpenRunTold[];
  /** The page that was asked for: the text is that page and no more. */
  readonly page?: LookedAt;
  readonly known?: KnownTold;
  readonly ledgers?: readonly LedgerTold[];
  /** The newest checkpoint of the step that waits: how far it had come. */
  readonly begun?: RecapEntryTold;
  readonly recap?: RecapTold;
  /** What was done on the branch that went on from here, which a rewound chat may have lost. */
  readonly ahead?: RecapTold;
  /** What was left beside the steps: on the session itself, and by people on the way here. */
  readonly noted?: RecapTold;
  readonly documents?: readonly DocumentTold[];
  /** Of the documents that the step speaks of, a line for each entry, as many as fit. */
  readonly spokenOf?: readonly DocumentTold[];
  readonly blockers?: readonly {
    readonly code: string;
    readonly pointer: string;
    readonly message: string;
    readonly fix: string;
  }[];
  readonly blockersOmitted?: number;
  /** What was handed in with the call that waits for the user. */
  readonly draft?: DraftTold;
  readonly gaps?: readonly GapTold[];
  readonly gapsOmitted?: number;
  readonly nextCall?: NextCall;
}

export interface CheckpointAnswer {
  readonly kind: 'ok';
  readonly stateToken?: string;
  readonly sessionToken?: string;
  readonly session: { readonly sessionId: string; readonly runId?: string };
  readonly recorded: { readonly at: string; readonly notes?: string; readonly artifacts: number };
  readonly gaps: readonly GapTold[];
  readonly warnings: readonly WarningTold[];
  readonly nextCall?: NextCall;
}

export interface SessionAnswer {
  readonly kind: 'ok';
  readonly sessionToken: string;
  readonly session: { readonly sessionId: string };
  readonly warnings: readonly WarningTold[];
  readonly nextCall: NextCall;
}

export const listedWorkflow = z.strictObject({
  id: text('ID of the workflow'),
  title: text('Its title'),
  description: text('What it does, and when to use it'),
  version: text('Its version').exactOptional(),
  kind: z.enum(['workflow', 'routine']).describe('A workflow you can start, or a routine that others call'),
  tags: texts('Its tags'),
  recommendedMode: z.enum(modeNames).describe('The mode its author recommends').exactOptional(),
  requiredInputs: z
    .array(
      z.strictObject({
        name: text('Its name: a context key of the start'),
        wanted: text('What is valid, in words'),
        description: text('What it means').exactOptional(),
      }),
    )
    .describe('Inputs a start requires')
    .exactOptional(),
  optionalInputs: texts('Names of optional inputs').exactOptional(),
  idStatus: z
    .enum(['namespaced', 'legacy', 'unknown'])
    .describe('unknown: the file is too broken to read its id, and is listed by file name'),
  suggestedId: text('A better id, if its own has no namespace').exactOptional(),
  source: text('Name of its source'),
  file: text('Its file'),
  hides: z
    .array(z.strictObject({ source: text('Name of its source'), file: text('Its file') }))
    .describe('Workflows with the same id in later sources'),
  startable: flag('False for a file with violations: it is listed but cannot be started'),
  violations: jsonObjects('The first of its violations; inspect_workflow has all'),
  violationsOmitted: count('How many violations are left out').exactOptional(),
  runsCommands: z.literal(true).describe('Some of its steps are API calls that WorkRail makes').exactOptional(),
  warningCount: count('How many warnings it has; inspect_workflow lists them').exactOptional(),
});
export type ListedWorkflow = ReadonlyOutput<typeof listedWorkflow>;

export interface ListAnswer {
  readonly workflows: readonly ListedWorkflow[];
  /** How many match; what is nearest where none does is not counted. */
  readonly total: number;
  /** Nothing matches what was asked for: these come nearest. */
  readonly nearest?: true;
  readonly nextCursor?: string;
  readonly nextCall?: NextCall;
}

export interface InspectAnswer {
  readonly workflow: JsonObject;
  readonly steps?: readonly JsonObject[];
  readonly source?: string;
  /** Every key of the format of workflow files, in short. */
  readonly format?: string;
  readonly violations: readonly JsonObject[];
  readonly warnings: readonly JsonObject[];
  readonly nextCursor?: string;
  readonly nextCall: NextCall;
}
