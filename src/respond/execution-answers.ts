import { agreedHole } from '../base/agreed-hole.js';
import { defined } from '../base/defined.js';
import { assert } from '../base/assert.js';
import { firstWords } from '../base/byte-budget.js';
import type { AttemptId, EventSum } from '../base/ids.js';
import { limits } from '../base/limits.js';
import type { NextCall } from '../base/rejection.js';
import { samePreferences } from '../base/preferences.js';
import type { ExecutionAnswer, RecapTold, WarningTold } from '../contract/answer.js';
import type { Output } from '../events/event-data.js';
import type { Event } from '../events/event.js';
import { unlikeDraft } from '../sessions/drafts.js';
import {
  begunAt,
  byId,
  type Entry,
  entryBySum,
  rememberedBefore,
  rememberedIn,
  rememberedUpFrom,
} from '../sessions/entry.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import type { KnownGaps } from '../sessions/gap-words.js';
import { gapsAt } from '../sessions/gaps.js';
import { keptBeside } from '../sessions/kept-beside.js';
import { type LookPage, recapPageName } from '../sessions/look-page.js';
import { answersBySum } from '../sessions/person-answers.js';
import { type Recap, recapOf, recapPolicy } from '../sessions/recap.js';
import { statusAt, stoppedAt } from '../sessions/run-status.js';
import { type ToldNode, tellGap, tellNode, tellWorkflow } from './answer-to-step.js';
import type { Told } from './told.js';
import { attemptOfKept } from '../tokens/token.js';
import { tellBranches, tellForkBranches, type ToldBranches } from './tell-branches.js';
import { tellDocuments } from './tell-documents.js';
import { changedDraft, tellDraft, tellStanding } from './tell-draft.js';
import { tellHoldsNow } from './tell-holds-now.js';
import { tellKnown } from './tell-known.js';
import { tellLedgers, toldInLedgers } from './tell-ledgers.js';
import { openRunsBeside } from '../sessions/open-runs.js';
import { tellOpenRuns } from './tell-open-runs.js';
import { tellNoted } from './tell-noted.js';
import { tellOtherBranches } from './tell-other-branches.js';
import { tellPatch } from './tell-patch.js';
import { tellPersonAnswer } from './person-answer-words.js';
import { gapsOf, gapsTold, tellWaiting } from './tell-waiting.js';
import { tellWarnings, withRecommended } from './tell-warnings.js';
import { artifactsNotAsked } from './artifacts-not-asked.js';
import { knowsWhatCame } from './handed-back.js';
import { namesOfState } from './names-of-state.js';
import { rowsAlike } from './rows-alike.js';
import { tellCommands, tellSentSince } from './tell-command.js';
import { joined, kindOf, settledFrom } from './tell-settled.js';
import { tellStep } from './tell-step.js';
import { unknownInputs } from './unknown-inputs.js';
import { unknownValues } from './unknown-values.js';

/** The answer to start, told from the run's own event. */
export function answerToStart(told: Told, node: RunNode): ExecutionAnswer {
  const { madeBy } = node;
  assert(madeBy.kind === 'run_started', 'a start is answered from the event that made the run');
  const { data } = madeBy;
  const as = { isAnswer: true, knowsWhatCame: false };
  const { at, kind, status, events, told: settled } = settledFrom(told, node);
  const { answer, warnings } = tellNode(told, at, data.preferences, undefined, as);
  return {
    kind,
    happened: 'started',
    ...answer,
    ...settled,
    status,
    workflow: tellWorkflow(told.workflow, data.workflowHash),
    ...tellNoted(told.session, undefined, { until: madeBy }),
    ...tellOpenRuns(told.session, told.sealer, data.openRuns),
    warnings: tellWarnings(
      data.preferences,
      joined(data.skipped, events, ({ skipped }) => skipped),
      withRecommended(
        told,
        data.preferences,
        joined(data.warnings, events, ({ warnings: more }) => more),
      ),
      unknownInputs(told.workflow, data.context),
      namesOfState(told.workflow, data.context),
      unknownValues(told.workflow, data.context, data.gaps),
      warnings,
    ),
    ...gapsOf(joined(data.gaps, events, ({ gaps }) => gaps)),
  };
}

/** The answer to an ack, told from the ack's own event and from nothing that can change after it. So a replay gets the same. */
export function answerToAck(told: Told, record: Event<'step_acked'>, kept?: Event<'checkpoint'>): ExecutionAnswer {
  const { session, sealer } = told;
  const { data } = record;
  const node = record.node === undefined ? undefined : session.nodes.get(record.node);
  const parent = session.nodes.get(data.parent);
  assert(node !== undefined && parent !== undefined, 'a recorded ack stands between two nodes');
  const { preferences } = node.terms;
  const as = { isAnswer: true, knowsWhatCame: knowsWhatCame(parent, record, kept) };
  const { at, kind, status, events, told: settled } = settledFrom(told, node);
  const { answer, warnings } = tellNode(told, at, preferences, undefined, as);
  const { fork, context = {} } = data;
  const last = events.at(-1)?.data ?? data;
  const { openGaps } = last;
  const stateToken = sealer.state(parent.id);
  const changed = changedDraft(parent, record);
  const open = openGaps === undefined ? undefined : gapsAt(session, at).filter(({ id }) => openGaps.shown.includes(id));
  return {
    kind,
    happened: fork === undefined ? 'advanced' : 'forked',
    ...answer,
    ...settled,
    status,
    recorded: {
      ...tellRecorded(data.step, data.output, tellPatch(context, data.added)),
      redo: { tool: 'continue_workflow', arguments: { stateToken } },
    },
    ...(data.answers !== undefined && {
      answered: answersBySum(parent, data.answers).map((answer) => tellPersonAnswer(answer, false)),
    }),
    ...(samePreferences(preferences, parent.terms.preferences) ? {} : { preferencesChanged: true as const }),
    ...(kept !== undefined && { otherWork: tellOtherWork(told, parent, data, kept) }),
    warnings: [
      // It comes on top of what was recorded, and takes the place of none of it.
      ...(kept === undefined ? [] : [otherWorkWarning(data.step)]),
      ...tellWarnings(
        preferences,
        joined(data.skipped, events, ({ skipped }) => skipped),
        changed && [changed],
        artifactsNotAsked(told.workflow, data.output),
        rowsAlike(session, told.workflow, node, record),
        withRecommended(
          told,
          preferences,
          joined(data.warnings, events, ({ warnings: more }) => more),
        ),
        namesOfState(told.workflow, context),
        unknownValues(told.workflow, data.context, data.gaps),
        tellHoldsNow(told, parent, node),
        warnings,
      ),
    ],
    ...(open === undefined
      ? gapsOf(joined(data.gaps, events, ({ gaps }) => gaps))
      : {
          gaps: open.slice(-gapsTold).map(tellGap),
          ...(openGaps !== undefined &&
            open.length + openGaps.omitted > gapsTold && { gapsOmitted: open.length + openGaps.omitted - gapsTold }),
        }),
    ...tellOpenRuns(session, sealer, last.openRuns),
    ...(fork !== undefined && tellFork(told, parent, record, fork)),
  };
}

const otherWorkWarning = (step: string): WarningTold => ({
  code: 'OTHER_WORK_KEPT',
  message: `what this call brought is not recorded as “${step}”, which was done before with other work; it is kept beside it`,
});

/** Nobody reads far enough into an answer to see that it speaks of other work: so that is said first. */
function tellOtherWork(
  told: Told,
  parent: RunNode,
  recorded: Event<'step_acked'>['data'],
  { sum, data }: Event<'checkpoint'>,
): NonNullable<ExecutionAnswer['otherWork']> {
  const beginning = (notes: string | undefined): string | undefined => notes && firstWords(notes, limits.echo);
  return defined<NonNullable<ExecutionAnswer['otherWork']>>({
    step: recorded.step,
    holds: beginning(recorded.output?.notes),
    kept: beginning(data.output.notes),
    differs: unlikeDraft(recorded, { ...data, ...(data.late?.context && { context: data.late.context }) }),
    branch: branchOfKept(told, parent, sum),
  });
}

function tellFork(
  { session, sealer }: Told,
  parent: RunNode,
  record: Event<'step_acked'>,
  fork: NonNullable<Event<'step_acked'>['data']['fork']>,
): Pick<ExecutionAnswer, 'branches' | 'branchesOmitted' | 'moreBranches' | 'preferredTip' | 'recap'> {
  const told = tellForkBranches(session, sealer, parent, fork);
  const entries = fork.recap.flatMap((sum) => entryBySum(session, sum) ?? []);
  const tip = session.nodes.get(fork.preferredTip);
  const gaps = (): KnownGaps => byId(tip === undefined ? [] : gapsAt(session, tip, record));
  const recap = recapOf(rememberedIn(entries, gaps), limits.recap);
  return {
    branches: told.branches,
    ...branchesLeftOut(told, sealer.state(parent.id)),
    preferredTip: { stateToken: sealer.state(fork.preferredTip) },
    ...(entries.length > 0 && { recap: { ...tellRecap(recap), omitted: fork.recapOmitted } }),
  };
}

/** The answer to an attempt that only the user can help, told from the record of its block. */
export function answerToBlock(told: Told, node: RunNode, record: Event<'step_blocked'>): ExecutionAnswer {
  const { data } = record;
  const { answer, warnings } = tellNode(told, node, data.preferences, data.attempt);
  const standing = tellStanding(node, record);
  const shown = standing.slice(0, limits.blockers);
  const draft = tellDraft(told.sealer, node, record, 'sender');
  return {
    kind: 'blocked',
    happened: 'blocked',
    ...answer,
    ...(draft.confirm !== undefined && { nextCall: draft.confirm }),
    draft,
    status: 'blocked',
    warnings: tellWarnings(
      data.preferences,
      undefined,
      data.warnings,
      unknownValues(told.workflow, data.context),
      warnings,
    ),
    blockers: shown,
    ...(standing.length > shown.length && { blockersOmitted: standing.length - shown.length }),
  };
}

/** Where nothing can be recorded, no call to record something is offered. */
function readOnly({ ackToken: _ack, nextCall: _call, ...rest }: ToldNode['answer']): ToldNode['answer'] {
  return rest;
}

export interface Look {
  /** The session is damaged, or of a newer format. */
  readonly readOnly: boolean;
  /** A fresh attempt, for a node that went on already: it forks. */
  readonly attempt: AttemptId;
  /** What the border sees of the present: file drift, what is missing on disk. */
  readonly noticed: readonly WarningTold[];
  readonly page: LookPage | undefined;
}

/** The answer to looking again. It changes nothing, and speaks of the present. */
export function answerToLook(told: Told, node: RunNode, look: Look): ExecutionAnswer {
  const { session, sealer, workflow } = told;
  const { page } = look;
  const run = session.runs.get(node.run);
  assert(run !== undefined, 'a whole node stands in a run');
  const atTip = node.children.length === 0;
  const { answer, warnings } = tellNode(told, node, node.preferences, atTip ? undefined : look.attempt);
  const below = tellBranches(session, sealer, node, run.preferredTip, page?.kind === 'branches' ? page.skip : 0);
  const stopped = stoppedAt(session, node);
  // Nothing goes on anywhere in a run that has ended as a whole.
  const isOver = stopped !== undefined && stopped === run.stopped;
  const status = isOver ? stopped.data.status : statusAt(session, node);
  const isAgents = node.pending !== undefined && node.pending.does === undefined;
  const whole = {
    kind: !isOver && (isAgents || status === 'in_progress') ? ('ok' as const) : kindOf(status),
    happened: atTip ? ('looked_at_tip' as const) : ('looked_back' as const),
    ...(look.readOnly ? readOnly(answer) : answer),
    ...(node.pending?.does !== undefined && tellCommands(told, node, node)),
    ...(!atTip && tellSentSince(session, node)),
    status,
    workflow: tellWorkflow(workflow, run.workflowHash),
    warnings: tellWarnings(node.preferences, undefined, look.noticed, warnings),
  };
  if (page !== undefined) return { ...whole, page: page.kind, ...tellLookedAt(told, node, page, below) };
  const documents = tellDocuments(session, workflow, node, undefined);
  const ledgers = tellLedgers(session, workflow, node);
  return {
    ...whole,
    known: tellKnown(session, node, undefined),
    ...(ledgers.length > 0 && { ledgers }),
    ...tellWork(session, node, below, undefined, toldInLedgers(ledgers)),
    ...tellNoted(session, node, { page: undefined }),
    ...(documents.length > 0 && { documents }),
    ...branchesBelow(told, node, below),
    ...keptNow(told, node),
    ...(run.preferredTip !== node.id && { preferredTip: { stateToken: sealer.state(run.preferredTip) } }),
    ...tellOtherBranches(session, sealer, node, run),
    ...tellOpenRuns(session, sealer, openRunsBeside(session, run.id)),
    ...tellWaiting(told, node, look.readOnly || isOver, atTip),
  };
}

/** A page holds the page: nothing of what waits or was done stands there whole once more. */
function tellLookedAt(
  told: Told,
  node: RunNode,
  page: LookPage,
  below: ToldBranches,
): Partial<Pick<ExecutionAnswer, 'known' | 'recap' | 'branches' | 'noted' | 'documents'>> {
  const { session, workflow } = told;
  switch (page.kind) {
    case 'record':
      return { known: tellKnown(session, node, page) };
    case 'recap': {
      const { recap } = tellWork(session, node, below, page);
      return recap === undefined ? {} : { recap };
    }
    case 'branches':
      return branchesBelow(told, node, below);
    case 'noted':
      return tellNoted(session, node, { page });
    case 'document':
      return { documents: tellDocuments(session, workflow, node, page).filter(({ text }) => text !== undefined) };
  }
}

const branchesBelow = (
  { sealer }: Told,
  node: RunNode,
  below: ToldBranches,
): Pick<ExecutionAnswer, 'branches' | 'branchesOmitted' | 'moreBranches'> => ({
  ...(below.branches.length > 0 && { branches: below.branches }),
  ...branchesLeftOut(below, sealer.state(node.id)),
});

const keptTold = 4;

/** What waits beside the step; what was taken is a branch. */
function keptNow(told: Told, node: RunNode): Pick<ExecutionAnswer, 'keptBeside'> {
  const taken = new Set(node.acks.map(({ data }) => data.attempt));
  const waiting = keptBeside(told.session, node).filter(({ sum }) => !taken.has(attemptOfKept(sum)));
  if (waiting.length === 0) return {};
  return {
    keptBeside: waiting.slice(-keptTold).map(({ sum, data: { output } }) => ({
      ...(output.notes !== undefined && { notes: firstWords(output.notes, limits.echo) }),
      branch: branchOfKept(told, node, sum),
    })),
  };
}

/** What the user was not asked about when it came may need them now. */
function branchOfKept({ session, workflow, sealer }: Told, step: RunNode, kept: EventSum): NextCall {
  const asks = tellStep(session, workflow, step).pending.requireConfirmation;
  return {
    tool: 'continue_workflow',
    arguments: {
      stateToken: sealer.state(step.id),
      ackToken: sealer.ack(step.id, attemptOfKept(kept)),
      ...(asks && { confirmed: agreedHole }),
    },
  };
}

/** What was done before; and what was done on the branch that went on, as the answer to a fork tells it: before the redo, not after. */
function tellWork(
  session: FoldedSession,
  node: RunNode,
  { newestTip }: ToldBranches,
  page: LookPage | undefined,
  isToldBeside?: (entry: Entry) => boolean,
): Pick<ExecutionAnswer, 'begun' | 'recap' | 'ahead'> {
  const after =
    page === undefined && newestTip !== undefined
      ? recapOf(rememberedUpFrom(session, newestTip, node.id), limits.recap)
      : undefined;
  const isAhead = after !== undefined && after.entries.length > 0;
  const budget = isAhead ? limits.recapBehind : limits.recap;
  const remembered = { ...rememberedBefore(session, node), ...(isToldBeside && { isToldBeside }) };
  const before = recapOf(remembered, budget, page?.kind === 'recap' ? page.recap : undefined);
  const begun = begunAt(node);
  return {
    ...(begun !== undefined && { begun: recapOf(rememberedIn([begun]), limits.recapBehind).entries[0]! }),
    ...(before.entries.length > 0 && { recap: tellRecap(before) }),
    ...(isAhead && { ahead: { entries: after.entries, omitted: after.omitted, policy: recapPolicy } }),
  };
}

const branchesLeftOut = (
  { omitted, more }: ToldBranches,
  stateToken: string,
): Pick<ExecutionAnswer, 'branchesOmitted' | 'moreBranches'> => ({
  ...(omitted > 0 && { branchesOmitted: omitted }),
  ...(more !== undefined && { moreBranches: { tool: 'continue_workflow', arguments: { stateToken, page: more } } }),
});

const tellRecap = ({ entries, omitted, older, first }: Recap): RecapTold => ({
  ...(first !== undefined && { first }),
  entries,
  omitted,
  policy: recapPolicy,
  ...(older !== undefined && { olderPage: recapPageName(older) }),
});

function tellRecorded(
  step: string,
  output: Output | undefined,
  context: readonly string[],
): NonNullable<ExecutionAnswer['recorded']> {
  return {
    step,
    ...(output?.notes !== undefined && { notes: firstWords(output.notes, limits.echo) }),
    artifacts: output?.artifacts?.length ?? 0,
    context,
  };
}
