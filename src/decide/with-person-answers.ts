import { canonicalJson } from '../base/canonical-json.js';
import type { EventSum } from '../base/ids.js';
import { own } from '../base/own.js';
import type { Event } from '../events/event.js';
import { keysAsked } from '../sessions/drafts.js';
import { withoutUsage } from '../sessions/usage.js';
import type { RunNode } from '../sessions/folded-session.js';
import {
  contextGiven,
  gapOfQuestion,
  keyOfQuestion,
  type PersonAnswer,
  type Question,
  refusalOf,
} from '../sessions/person-answers.js';
import { draftRequested } from './as-requested.js';
import type { Ack } from './decide-ack.js';
import { type Brought, broughtDigest, isEmpty, keptOutput, withUsageOf, workOf } from './requested-output.js';

type Handed = Pick<Ack, 'output' | 'context'> & { readonly confirmed?: boolean | undefined };

export type TakenUp = Partial<Pick<Ack, 'output' | 'context' | 'refused' | 'answers' | 'confirmed' | 'asksAnew'>> & {
  /** The draft of this request stands as it is: a person said no to it, or has not answered all of it. */
  readonly stays?: string;
};

/** The mode asks nobody, so that nothing that is open keeps the step. */
export const isFreeAt = ({ preferences }: RunNode): boolean => preferences.autonomy === 'full_auto_never_stop';

/**
 * The draft with what a person answered to it at their own door, for a call that brings nothing else than it. Undefined
 * where they answered nothing, or where what comes is other work: that asks them again.
 */
export function withPersonAnswers(
  handed: Handed,
  drafts: readonly Event<'step_blocked'>[],
  answersOf: (draft: Event<'step_blocked'>) => readonly PersonAnswer[],
  isFree: boolean,
): (TakenUp & Pick<Ack, 'output' | 'context'>) | undefined {
  // What was answered once is answered where other work came in between as well.
  const draft = drafts.findLast((one) => isTheVeryDraft(handed, one)) ?? drafts.at(-1);
  const answers = draft === undefined ? [] : answersOf(draft);
  if (draft === undefined || answers.length === 0 || handed.confirmed === false || !isTheDraft(handed, draft))
    return undefined;
  const { request, blockers } = draft.data;
  const before = draftRequested(draft);
  const stays = { ...before, stays: request };
  // Nobody's word in a chat goes past a no that the user gave themselves.
  if (refusalOf(answers) !== undefined) return stays;
  const questions = new Set(answers.map(({ data }) => data.question));
  const isSettled = ({ pointer }: Question): boolean => questions.has(pointer) || isToldBy(handed, pointer);
  const isWhole = isFree || blockers.every(isSettled);
  if (!isWhole && handed.confirmed === undefined && isEmpty({ output: undefined, context: handed.context }))
    return stays;
  const gaps = (before.output.gaps ?? []).filter(
    (_, index) =>
      !isWhole || !blockers.some((blocker) => gapOfQuestion(blocker.pointer) === index && isSettled(blocker)),
  );
  const context = { ...before.context, ...handed.context, ...contextGiven(answers) };
  const artifacts = withUsageOf(keptOutput(handed.output) ?? {}, keptOutput(before.output) ?? {});
  const agreed = answers.some(({ data }) => data.question === '/confirmed' && data.answer === 'agreed');
  return {
    output: { ...before.output, ...(artifacts !== undefined && { artifacts }), gaps },
    context: Object.keys(context).length === 0 ? undefined : context,
    ...((agreed || handed.confirmed === true) && { confirmed: true }),
    answers: answers.map(({ sum }): EventSum => sum),
  };
}

/** An agent may pass on in the same call what the user told it besides. */
function isToldBy({ context = {}, confirmed }: Handed, pointer: string): boolean {
  const key = keyOfQuestion(pointer);
  return key === undefined ? confirmed === true : (own(context, key) ?? null) !== null;
}

export const isTheVeryDraft = (handed: Handed, draft: Event<'step_blocked'>): boolean =>
  workDigest(handed) === workDigest(draftRequested(draft));

const workDigest = ({ output, context }: Brought): string => broughtDigest({ output: workOf(output), context });

/** Nothing comes, or nothing else than the draft and what it asks for. */
function isTheDraft({ output, context = {} }: Handed, draft: Event<'step_blocked'>): boolean {
  if (isTheVeryDraft({ output, context }, draft)) return true;
  const before = draftRequested(draft);
  const kept = withoutUsage(keptOutput(output) ?? {});
  const { notes, artifacts } = withoutUsage(keptOutput(before.output) ?? {});
  const asked = keysAsked(draft);
  const same = (one: unknown, other: unknown): boolean =>
    canonicalJson((one ?? null) as never) === canonicalJson((other ?? null) as never);
  return (
    (output?.gaps ?? []).length === 0 &&
    (kept.notes === undefined || kept.notes === notes) &&
    (kept.artifacts === undefined || same(kept.artifacts, artifacts)) &&
    Object.keys(context).every((key) => asked.includes(key) || same(own(context, key), own(before.context ?? {}, key)))
  );
}
