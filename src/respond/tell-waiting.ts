import { limits } from '../base/limits.js';
import type { ExecutionAnswer } from '../contract/answer.js';
import type { DraftTold } from '../contract/draft-told.js';
import type { Event } from '../events/event.js';
import { standingDraft } from '../sessions/drafts.js';
import type { RunNode } from '../sessions/folded-session.js';
import { openGapsAt } from '../sessions/gaps.js';
import { tellGap } from './answer-to-step.js';
import type { Told } from './told.js';
import { tellDraft, tellStanding } from './tell-draft.js';

export const gapsTold = 10;

/** What was handed in and waits for the user, and the gaps that are open. */
export function tellWaiting(
  { session, sealer }: Told,
  node: RunNode,
  isReadOnly: boolean,
  atTip: boolean,
): Pick<ExecutionAnswer, 'blockers' | 'draft' | 'gaps' | 'gapsOmitted' | 'nextCall'> {
  const open = openGapsAt(session, node);
  const draft = standingDraft(node);
  const standing = atTip && draft !== undefined ? tellStanding(node, draft).slice(0, limits.blockers) : [];
  const told = draft && withoutCalls(isReadOnly, tellDraft(sealer, node, draft, 'looker'));
  return {
    ...(standing.length > 0 && { blockers: standing }),
    ...(told !== undefined && { draft: told }),
    ...(atTip && told?.settled === true && told.confirm !== undefined && { nextCall: told.confirm }),
    ...(open.length > 0 && { gaps: open.slice(-gapsTold).map(tellGap) }),
    ...(open.length > gapsTold && { gapsOmitted: open.length - gapsTold }),
  };
}

const withoutCalls = (isReadOnly: boolean, { confirm, ...draft }: DraftTold): DraftTold => ({
  ...draft,
  ...(!isReadOnly && confirm !== undefined && { confirm }),
});

/** The gaps that one event recorded. */
export function gapsOf(gaps: Event<'step_acked'>['data']['gaps']): Pick<ExecutionAnswer, 'gaps' | 'gapsOmitted'> {
  if (gaps === undefined || gaps.length === 0) return {};
  return {
    gaps: gaps.slice(0, gapsTold).map(tellGap),
    ...(gaps.length > gapsTold && { gapsOmitted: gaps.length - gapsTold }),
  };
}
