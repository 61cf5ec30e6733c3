import { agreedHole } from '../base/agreed-hole.js';
import { hole } from '../base/hole.js';
import { firstWords } from '../base/byte-budget.js';
import { limits } from '../base/limits.js';
import type { NextCall } from '../base/rejection.js';
import type { WarningTold } from '../contract/answer.js';
import type { DraftTold } from '../contract/draft-told.js';
import type { Event } from '../events/event.js';
import { draftBefore, draftEntry, keysAsked, keysGiven, unlikeDraft } from '../sessions/drafts.js';
import { rememberedIn } from '../sessions/entry.js';
import { gapWords } from '../sessions/gap-words.js';
import type { RunNode } from '../sessions/folded-session.js';
import {
  answersBySum,
  answersPassedOver,
  answersTo,
  gapOfQuestion,
  isRefusedAt,
  isSettled,
  keyOfQuestion,
  openQuestions,
  type PersonAnswer,
  type Question,
  refusalOf,
} from '../sessions/person-answers.js';
import { refusedQuestion } from '../sessions/refused-blocker.js';
import { recapOf } from '../sessions/recap.js';
import { tellPersonAnswer } from './person-answer-words.js';
import type { Sealer } from './sealer.js';
import { tellPatch } from './tell-patch.js';

/** What waits for the user at a step: as much of it as fits for whoever looks, its beginning for whoever sent it. */
export function tellDraft(
  sealer: Sealer,
  node: RunNode,
  draft: Event<'step_blocked'>,
  reader: 'sender' | 'looker',
): DraftTold {
  const { data } = draft;
  const { entries } = recapOf(rememberedIn([draftEntry(draft)]), limits.recap);
  const { notes, artifacts, cut } = entries[0]!;
  // Their ids are of this call alone: nothing can settle them yet.
  const gaps = data.gaps?.map((gap) => `${gap.severity} ${gap.category}: ${gapWords(gap)}`);
  const before = draftBefore(node, draft);
  const replaces = before === undefined ? [] : unlikeDraft(before.data, data);
  const whole = reader === 'looker';
  const answers = answersTo(node, draft);
  const refused = refusalOf(answers) ?? data.refused;
  const told = tellAnswers(node, draft, answers);
  const confirm = settlingCall(sealer, node, draft, answers);
  return {
    ...(notes !== undefined && { notes: whole ? notes : firstWords(notes, limits.echo) }),
    ...(artifacts !== undefined && { artifacts }),
    ...(gaps !== undefined && { gaps }),
    context: tellPatch(data.context ?? {}),
    ...(whole && cut !== undefined && { cut }),
    ...(replaces.length > 0 && { replaces }),
    ...(refused !== undefined && { refused: firstWords(refused, limits.echo) }),
    ...(isRefusedAt(node) && { themselves: true }),
    ...told,
    ...(confirm !== undefined && { confirm }),
  };
}

/** What people answered to it themselves. What lost to an earlier answer is told as well. */
function tellAnswers(
  node: RunNode,
  draft: Event<'step_blocked'>,
  answers: readonly PersonAnswer[],
): Pick<DraftTold, 'answers' | 'settled'> {
  if (answers.length === 0) return {};
  return {
    answers: [
      ...answers.map((answer) => tellPersonAnswer(answer, false)),
      ...answersPassedOver(node, draft).map((answer) => tellPersonAnswer(answer, true)),
    ],
    ...(isSettled(node, draft) && { settled: true }),
  };
}

/** What still stands in the way of a draft: what nobody answered, or what the user said no to. */
export function tellStanding(node: RunNode, draft: Event<'step_blocked'>): readonly Question[] {
  const answers = answersTo(node, draft);
  const refused = new Map(
    answers.filter(({ data }) => data.answer === 'refused').map((answer) => [answer.data.question, answer]),
  );
  const open = new Set(openQuestions(node, draft));
  return draft.data.blockers.flatMap((blocker) => {
    const answer = refused.get(blocker.pointer);
    if (answer !== undefined) return [refusedQuestion(blocker, answer)];
    return open.has(blocker) ? [blocker] : [];
  });
}

const isAgreement = ({ code }: Question): boolean => code === 'CONFIRMATION_REQUIRED';

/** Nothing is missing but the user's agreement and what they were asked for; undefined where more is. */
function settlingCall(
  sealer: Sealer,
  node: RunNode,
  draft: Event<'step_blocked'>,
  answers: readonly PersonAnswer[],
): NextCall | undefined {
  const refused = answers.length === 0 ? draft.data.refused : refusalOf(answers);
  if (refused !== undefined) return undefined;
  const open = openQuestions(node, draft);
  const keys = keysAsked(draft).filter((key) => open.some(({ pointer }) => keyOfQuestion(pointer) === key));
  const asksAgreement = open.some(isAgreement);
  if (open.length !== keys.length + (asksAgreement ? 1 : 0)) return undefined;
  return {
    tool: 'continue_workflow',
    arguments: {
      stateToken: sealer.state(node.id),
      ackToken: sealer.ack(node.id, draft.data.attempt),
      ...(keys.length > 0 && {
        context: Object.fromEntries(keys.map((key) => [key, hole('what the user answers')])),
      }),
      ...(asksAgreement && !isRefusedAt(node) && { confirmed: agreedHole }),
    },
  };
}

/** One thing waited for the user, and another was recorded: nobody but they can know whether that is right. */
export function changedDraft(parent: RunNode, record: Event<'step_acked'>): WarningTold | undefined {
  const changed = changedSinceDraft(parent, record);
  if (changed.length === 0) return undefined;
  const waited = record.data.confirmed === true ? 'for the user’s agreement' : 'for the user’s answer';
  return {
    code: 'DRAFT_CHANGED',
    message: `what was recorded differs in ${changed.join(', ')} from what had waited ${waited}; if they have not seen it so, show them`,
  };
}

/** In what a step as it was recorded differs from what had waited for agreement to it, or for a value that came with it. */
export function changedSinceDraft(parent: RunNode, record: Event<'step_acked'>): readonly string[] {
  const draft = draftBefore(parent, record);
  if (draft === undefined) return [];
  const given = keysGiven(keysAsked(draft), record.data.context);
  const agreed = record.data.confirmed === true && draft.data.blockers.some(isAgreement);
  if (!agreed && given.length === 0) return [];
  // What was asked for is no change.
  const answered = answersBySum(parent, record.data.answers).map(({ data }) => gapOfQuestion(data.question));
  const gaps = draft.data.gaps?.filter((_, index) => !answered.includes(index));
  return unlikeDraft({ ...draft.data, ...(gaps && { gaps }) }, record.data, given);
}
