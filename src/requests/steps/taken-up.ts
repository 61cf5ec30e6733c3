import { asRefused, draftRequested, lateRequested, withDraft, withUsage } from '../../decide/as-requested.js';
import type { Ack } from '../../decide/decide-ack.js';
import { isEmpty, workOf } from '../../decide/requested-output.js';
import { isFreeAt, isTheVeryDraft, type TakenUp, withPersonAnswers } from '../../decide/with-person-answers.js';
import type { Event } from '../../events/event.js';
import { draftsOf } from '../../sessions/drafts.js';
import type { FoldedSession, RunNode } from '../../sessions/folded-session.js';
import { keptBeside } from '../../sessions/kept-beside.js';
import { answersTo, isRefusedAt, refusedDrafts } from '../../sessions/person-answers.js';
import { attemptOfKept } from '../../tokens/token.js';

/** What waits for this very attempt: its draft, with what a person answered to it, or other work that is kept. Of the draft also what the user's word comes without. */
export function takenUp(
  session: FoldedSession,
  node: RunNode,
  { attempt, output, context }: Pick<Ack, 'attempt' | 'output' | 'context'>,
  confirmed: boolean | undefined,
): TakenUp | undefined {
  const drafts = draftsOf(node, attempt);
  const handed = { output, context, confirmed };
  const answered = withPersonAnswers(handed, drafts, (draft) => answersTo(node, draft), isFreeAt(node));
  if (answered !== undefined) return answered;
  const draft = drafts.at(-1);
  if (confirmed === false) return asRefused({ output, context }, draft);
  return afterOwnNo(node, handed, withoutAnswers(session, node, { attempt, ...handed }, drafts));
}

function withoutAnswers(
  session: FoldedSession,
  node: RunNode,
  {
    attempt,
    output,
    context,
    confirmed,
  }: Pick<Ack, 'attempt' | 'output' | 'context'> & { readonly confirmed: boolean | undefined },
  drafts: readonly Event<'step_blocked'>[],
): TakenUp | undefined {
  const draft = drafts.at(-1);
  // Who brings nothing but an answer hears once more what the user said no to; who brings their agreement goes past it.
  const refused =
    confirmed === undefined && isEmpty({ output: workOf(output), context: undefined })
      ? draft?.data.refused
      : undefined;
  if (!isEmpty({ output: workOf(output), context })) {
    const completed = withDraft({ output, context, confirmed: confirmed === true }, drafts);
    return completed && { ...completed, refused };
  }
  if (draft !== undefined) return { ...withUsage(draftRequested(draft), output), refused };
  const kept = keptBeside(session, node).find(({ sum }) => attemptOfKept(sum) === attempt);
  return kept && withUsage(lateRequested(kept), output);
}

/** Who said no at their own door says yes there: an agent's word for them counts for nothing until they have. */
function afterOwnNo(
  node: RunNode,
  handed: Pick<Ack, 'output' | 'context'>,
  taken: TakenUp | undefined,
): TakenUp | undefined {
  const work = { output: handed.output, context: handed.context, ...taken };
  const same = refusedDrafts(node).find(({ draft }) => isTheVeryDraft(work, draft));
  if (same !== undefined) return { ...taken, confirmed: false, refused: same.reason, asksAnew: true };
  return isRefusedAt(node) ? { ...taken, confirmed: false, asksAnew: true } : taken;
}
