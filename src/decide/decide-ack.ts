import { assert } from '../base/assert.js';
import type { AttemptId, EventSum, KeyId, NodeId } from '../base/ids.js';
import type { JsonObject } from '../base/json-value.js';
import { limits } from '../base/limits.js';
import { own } from '../base/own.js';
import { patched } from '../base/patched.js';
import { sentenceText } from '../base/sentence.js';
import { type Preferences, samePreferences } from '../base/preferences.js';
import type { CompiledWorkflow, PromptStep } from '../definitions/compiled/compiled-workflow.js';
import type { Blocker, Mendable } from '../engine/blocker.js';
import { findNext } from '../engine/find-next.js';
import type { Way } from '../engine/way.js';
import { type Judgement, judgeStep } from '../engine/judge-step.js';
import { type ContextChange, changeOf } from '../engine/taken-keys.js';
import { asksAgreement, asksByVerdict } from '../definitions/expression/asks-agreement.js';
import { asksFor, type Known } from '../definitions/contracts/needs-asked.js';
import { promptStep } from '../definitions/compiled/place.js';
import { scopeAt } from '../definitions/expression/scope-at.js';
import { renderTemplate } from '../definitions/expression/template.js';
import type { EventData, Position, StepName, Warning } from '../events/event-data.js';
import type { EventDraft, Who } from '../events/event.js';
import { draftOf } from '../sessions/drafts.js';
import { refusalAt } from '../sessions/person-answers.js';
import { refusedBlocker } from '../sessions/refused-blocker.js';
import type { FoldedSession, RunNode, Terms } from '../sessions/folded-session.js';
import { loopControls } from '../sessions/loop-controls.js';
import { openGapsAt } from '../sessions/gaps.js';
import { recordsAt } from '../sessions/records.js';
import { withoutUsage } from '../sessions/usage.js';
import { roundsWith } from '../sessions/rounds-done.js';
import { isAnswered } from '../sessions/values-of-round.js';
import { boldnessWarning, choosePreferences, loosened, type RequestedPreferences } from './choose-preferences.js';
import { changed, changedBytes, recordedChange, withCollected } from './context-change.js';
import type { IdsFromSeed } from './ids-from-seed.js';
import { broughtDigest, keptOutput, requestDigest, type RequestedOutput } from './requested-output.js';
import { keptBlockers } from './kept-blockers.js';
import { knownInRound } from './known-in-round.js';
import { tellFork } from './tell-fork.js';
import { unknownBlockers } from './unknown-blockers.js';
import { atEnd } from './at-end.js';
import { GapList, secretWarning, settler, recordWay, toldOnce } from './gap-list.js';
import { putByStep } from './put-by-step.js';
import type { PutsDone } from './states/decide-puts.js';
import { seenOf, stateReadBy } from './states/state-read.js';
import { tellUnconfirmed, tellUnmet } from './tell-unmet.js';
import { type WrongSettlement, wrongSettlements } from './wrong-settlements.js';

export interface Ack {
  readonly workflow: CompiledWorkflow;
  readonly attempt: AttemptId;
  readonly output: RequestedOutput | undefined;
  readonly context: JsonObject | undefined;
  readonly confirmed: boolean;
  /** What a person had answered to the draft, which it goes on with. */
  readonly answers?: readonly EventSum[] | undefined;
  /** The user said no at their own door to other work: they are asked, whatever the mode. */
  readonly asksAnew?: boolean | undefined;
  /** The user said no: their reason, empty where they gave none. */
  readonly refused?: string | undefined;
  readonly preferences: RequestedPreferences | undefined;
  /** The person who hands it in; nobody where it is an agent. */
  readonly who?: Who | undefined;
  /** The person who was asked, and the preferences that they said yes to. */
  readonly agreed?: { readonly who: Who; readonly to: Preferences } | undefined;
  /** What the answer is to mention besides. */
  readonly noticed?: readonly Warning[];
  readonly key: KeyId;
  readonly engine: string;
  readonly draw: IdsFromSeed;
}

export type AckDecision =
  /** The step is done. The answer is told from the child's own event. */
  | { readonly kind: 'advanced'; readonly child: NodeId; readonly events: readonly EventDraft[] }
  /** Only the user can settle what is missing. The answer is told from the block with this request's digest. */
  | { readonly kind: 'blocked'; readonly request: string; readonly events: readonly EventDraft[] }
  /** It claims to settle gaps that are not there; nothing is recorded. */
  | { readonly kind: 'wrong_settlements'; readonly wrong: readonly WrongSettlement[] }
  /** It asks to go further without a person than a person or the start chose; nothing is recorded. */
  | {
      readonly kind: 'too_bold';
      readonly names: ReturnType<typeof loosened>;
      readonly asked: Preferences;
      readonly allowed: Preferences;
    }
  /** The context would grow past its limit; nothing is recorded. */
  | { readonly kind: 'overgrown'; readonly bytes: number }
  /** The agent can mend this itself; nothing is recorded. */
  | {
      readonly kind: 'incomplete';
      readonly step: StepName;
      readonly mend: readonly Mendable[];
      readonly user: readonly Blocker[];
    };

/** Decides an attempt on a node that has not been acked yet. A recorded attempt is `replayOf`'s to answer. */
export function decideAck(session: FoldedSession, node: RunNode, ack: Ack): AckDecision {
  const { pending } = node;
  assert(pending !== undefined, 'a finished run hands out no attempts');
  const run = session.runs.get(node.run);
  assert(run !== undefined, 'a whole node stands in a run');
  const step = promptStep(ack.workflow, pending.id);
  const asked = choosePreferences(node.preferences, ack.preferences);
  const names = ack.who === undefined ? loosened(asked, node.preferences, node.allowed) : [];
  const agreed = names.length > 0 ? agreedBy(ack, asked) : undefined;
  if (names.length > 0 && agreed === undefined) return { kind: 'too_bold', names, asked, allowed: node.allowed };
  // What is asked for holds from the next step on: no field of a request changes the verdict on the step it is for.
  const { preferences } = node;
  const never = preferences.autonomy === 'full_auto_never_stop';
  const records = recordsAt(session, node);
  const change = changeOf(ack.workflow, step, ack.context, ack.output?.artifacts ?? []);
  const context = changed(records.context, change);
  const wrong = wrongSettlements(session, node, ack.output, ack.who);
  if (wrong.length > 0) return { kind: 'wrong_settlements', wrong };
  const rounds = roundsWith(session, node, { path: pending.path, notes: ack.output?.notesMarkdown });
  const facts = { ...records, inputs: run.started.data.inputs, context, rounds };
  const scope = scopeAt(ack.workflow, facts, pending.frames);
  const asks = asksAgreement(step, scope) || asksByVerdict(step, ack.output?.artifacts ?? [], scope);
  const judged = judge(step, ack, asks, {
    context,
    isAnswer: (need) =>
      own(change.set, need.key) !== undefined ||
      isAnswered(session, node, (id, key) => asksFor(promptStep(ack.workflow, id), key), need),
    // As the step was told.
    fill: (text) => {
      const told = scopeAt(ack.workflow, { ...facts, context: records.context }, pending.frames);
      return renderTemplate(text, { ...told, meter: { left: limits.stepWork } }).text;
    },
  });
  const output = keptOutput(ack.output);
  const left = withoutUsage(output ?? {});
  const outputs = patched(records.outputs, { [step.id]: left });
  const child = ack.draw.nodeId((id) => session.nodes.has(id));
  const put = putByStep(session, node, ack, { step, child, left, facts: { ...facts, outputs }, mend: judged.mend });
  const judgement = { ...judged, mend: put.mend };
  const way = findNext(
    ack.workflow,
    {
      ...pending,
      ofRound: (frames) => knownInRound(session, node, ack.workflow, frames, { change, done: { [step.id]: left } }),
    },
    {
      ...facts,
      ...seenOf(put.now),
      outputs,
      controls: patched(records.controls, loopControls(output, pending.path)),
    },
    never ? 'assume' : 'stop',
  );
  const all = withCollected(change, way.collected);
  const bytes = changedBytes(node.contextBytes, records.context, all);
  if (bytes > limits.context) return { kind: 'overgrown', bytes };
  const name: StepName = { id: pending.id, path: pending.path, title: pending.title };

  // Other modes ask again by themselves. One that asks nobody would go past the no with the next word it hands in.
  const refused = ack.refused ?? (never && !ack.confirmed ? refusalAt(node) : undefined);
  const stopped = stop(node, { ...ack, refused }, { name, step, asks, way, judgement, never });
  if (stopped !== undefined) return stopped;
  return advance(session, node, ack, {
    pending,
    asked,
    chosenBy: ack.who ?? agreed,
    change: all,
    way,
    judgement,
    never,
    child,
    put: put.events,
    read: stateReadBy(ack.workflow, way, put.now),
  });
}

/** What keeps the step from being done, where anything does. */
function stop(
  node: RunNode,
  ack: Ack,
  {
    name,
    step,
    asks,
    way,
    judgement,
    never,
  }: Pick<Judged, 'way' | 'judgement' | 'never'> & {
    readonly name: StepName;
    readonly step: PromptStep;
    readonly asks: boolean;
  },
): AckDecision | undefined {
  const { preferences } = node;
  // Whoever asked and got a no does not go on, whatever the mode, and hears of what is missing when they ask again.
  if (ack.refused !== undefined && asks)
    return block(node, ack, preferences, name, [...judgement.user, refusedBlocker(ack.refused, ack.asksAnew)]);
  const asksThem = ack.asksAnew === true && judgement.unconfirmed !== undefined;
  if (never) return asksThem ? block(node, ack, preferences, name, [judgement.unconfirmed]) : undefined;
  const mend = [...judgement.mend, ...unknownBlockers(way, judgement.mend, step)];
  const user = [
    ...judgement.user.map((blocker) => orDisclosed(blocker, ack.output, preferences)),
    ...(judgement.unconfirmed !== undefined && (asksThem || preferences.gateHandling === 'block')
      ? [judgement.unconfirmed]
      : []),
  ];
  if (mend.length > 0) return { kind: 'incomplete', step: name, mend, user };
  return user.length > 0 ? block(node, ack, preferences, name, user) : undefined;
}

/** A yes is to what was asked: work that moved meanwhile may make something else of the same request. */
function agreedBy({ agreed }: Ack, asked: Preferences): Who | undefined {
  return agreed !== undefined && samePreferences(agreed.to, asked) ? agreed.who : undefined;
}

function judge(step: PromptStep, ack: Ack, asks: boolean, known: Known): Judgement {
  const handed = {
    notes: ack.output?.notesMarkdown,
    artifacts: ack.output?.artifacts ?? [],
    patch: ack.context ?? {},
    ...known,
    confirmed: ack.confirmed,
    reported: (ack.output?.gaps ?? []).flatMap(({ category, resolves, reason, detail }, index) =>
      category === 'user_only_dependency' && resolves === undefined ? [{ reason, detail, index }] : [],
    ),
  };
  return judgeStep(ack.workflow, step, handed, asks);
}

/** What could be assumed: nobody can make a secret, an account or an approval up. */
const assumable: ReadonlySet<string> = new Set(['needs_user_choice', 'needs_user_artifact']);

/** An agent that is to assume, and says what it assumes, need not wait for the user: it only has to say so. */
function orDisclosed(
  blocker: Blocker,
  output: RequestedOutput | undefined,
  { assumptionPolicy }: Preferences,
): Blocker {
  const index = /^\/output\/gaps\/(\d+)$/u.exec(blocker.pointer)?.[1];
  const gap = index === undefined ? undefined : output?.gaps?.[Number(index)];
  if (gap === undefined || assumptionPolicy !== 'record_when_missing') return blocker;
  if (gap.assumption === undefined && !assumable.has(gap.reason)) return blocker;
  const assumed =
    gap.assumption === undefined ? ' and with what you assume as its assumption' : ', its assumption as it is';
  const fix = `${sentenceText(blocker.fix)}; or, where you can go on with an assumption, send this gap alone, its category "agent_disclosed"${assumed}`;
  return { ...blocker, fix };
}

function block(
  node: RunNode,
  ack: Ack,
  preferences: Preferences,
  step: StepName,
  blockers: readonly Blocker[],
): AckDecision {
  const { confirmed, context, refused } = ack;
  const request = requestDigest({ output: ack.output, context, confirmed, preferences, refused });
  // The newest is the draft that agreement completes: an older one that comes again becomes the newest.
  if (draftOf(node, ack.attempt)?.data.request === request) return { kind: 'blocked', request, events: [] };
  const gaps = new GapList(ack.draw, ack.output);
  const output = keptOutput(ack.output);
  const secret = secretWarning(ack.output, { ...context, ...(refused !== undefined && { refused }) });
  const data: EventData<'step_blocked'> = {
    attempt: ack.attempt,
    step,
    request,
    blockers: keptBlockers(blockers, refused !== undefined, ack.asksAnew === true),
    ...(output !== undefined && { output }),
    ...(context !== undefined && { context }),
    ...(confirmed && { confirmed: true as const }),
    ...(gaps.gaps.length > 0 && { gaps: gaps.gaps }),
    ...(secret !== undefined && { warnings: [secret] }),
    ...(refused !== undefined && { refused }),
    preferences,
    key: ack.key,
    engine: ack.engine,
  };
  return { kind: 'blocked', request, events: [{ kind: 'step_blocked', run: node.run, node: node.id, data }] };
}

interface Judged {
  readonly pending: Position;
  /** What the next step is to be done with. */
  readonly asked: Preferences;
  /** The person whose choice that is; nobody where it is an agent's. */
  readonly chosenBy: Who | undefined;
  readonly change: ContextChange;
  readonly way: Way;
  readonly judgement: Judgement;
  readonly never: boolean;
  readonly child: NodeId;
  /** What goes into the shared state with it, and what the next step is told of that. */
  readonly put: PutsDone['events'];
  readonly read: ReturnType<typeof stateReadBy>;
}

function advance(
  session: FoldedSession,
  node: RunNode,
  ack: Ack,
  { pending, asked, chosenBy, change, way, judgement, never, child, put, read }: Judged,
): AckDecision {
  const gaps = new GapList(ack.draw, ack.output);
  const warnings = advanceWarnings(node, { ...ack, context: { ...change.set, ...change.added } }, asked);
  if (never) tellUnmet(judgement, pending, gaps, warnings);
  tellUnconfirmed(judgement, pending, gaps, warnings);
  const told = recordWay(
    toldOnce(way, () => openGapsAt(session, node)),
    gaps,
    warnings,
  );
  const output = keptOutput(ack.output);
  const fork = tellFork(session, node);
  // A person's choice is an event of its own, which says whose it is. What an agent asked for is the step's as well.
  const preferences = ack.who === undefined ? asked : node.preferences;
  const data: EventData<'step_acked'> = {
    parent: node.id,
    attempt: ack.attempt,
    step: pending.title,
    brought: broughtDigest(ack),
    ...(output !== undefined && { output }),
    ...recordedChange(change),
    ...(way.ended.length > 0 && { rounds: [...way.ended] }),
    ...(ack.confirmed && { confirmed: true as const }),
    ...(ack.answers !== undefined && ack.answers.length > 0 && { answers: [...ack.answers] }),
    ...changedTerms(node, { preferences, key: ack.key, engine: ack.engine }),
    ...told,
    ...read,
    ...(warnings.length > 0 && { warnings }),
    ...(gaps.gaps.length > 0 && { gaps: gaps.gaps }),
    ...(told.next === undefined && atEnd(session, node, gaps)),
    ...(fork !== undefined && { fork }),
  };
  const acked: EventDraft = { kind: 'step_acked', run: node.run, node: child, ...settler(ack.who, data.gaps), data };
  return { kind: 'advanced', child, events: [...put, acked, ...changedBy(chosenBy, node, child, asked)] };
}

function changedBy(who: Who | undefined, node: RunNode, child: NodeId, asked: Preferences): readonly EventDraft[] {
  if (who === undefined || samePreferences(asked, node.preferences)) return [];
  return [{ kind: 'preferences_changed', run: node.run, node: child, who, data: { preferences: asked } }];
}

/** What stays as it was is not said again with each step. */
function changedTerms({ terms }: RunNode, { preferences, key, engine }: Terms): Partial<Terms> {
  return {
    ...(!samePreferences(preferences, terms.preferences) && { preferences }),
    ...(key !== terms.key && { key }),
    ...(engine !== terms.engine && { engine }),
  };
}

function advanceWarnings(node: RunNode, ack: Ack, preferences: Preferences): Warning[] {
  const secret = secretWarning(ack.output, ack.context);
  const bolder = samePreferences(preferences, node.preferences)
    ? undefined
    : boldnessWarning(preferences, ack.workflow.recommends);
  return [secret, bolder, ...(ack.noticed ?? [])].filter((warning) => warning !== undefined);
}
