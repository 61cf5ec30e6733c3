import { agreedHole } from '../base/agreed-hole.js';
import { firstWords } from '../base/byte-budget.js';
import { limits } from '../base/limits.js';
import type { NextCall } from '../base/rejection.js';
import type { DraftTold, WarningTold } from '../contract/answer.js';
import type { Event } from '../events/event.js';
import { draftBefore, draftEntry, unlikeDraft } from '../sessions/drafts.js';
import { rememberedIn } from '../sessions/entry.js';
import { gapWords } from '../sessions/gap-words.js';
import type { RunNode } from '../sessions/folded-session.js';
import { recapOf } from '../sessions/recap.js';
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
  return {
    ...(notes !== undefined && { notes: whole ? notes : firstWords(notes, limits.echo) }),
    ...(artifacts !== undefined && { artifacts }),
    ...(gaps !== undefined && { gaps }),
    context: tellPatch(data.context ?? {}),
    ...(whole && cut !== undefined && { cut }),
    ...(replaces.length > 0 && { replaces }),
    ...(data.refused !== undefined && { refused: firstWords(data.refused, limits.echo) }),
    ...(needsAgreementAlone(draft) && { confirm: confirmingCall(sealer, node, draft) }),
  };
}

const needsAgreementAlone = ({ data }: Event<'step_blocked'>): boolean =>
  data.refused === undefined && data.blockers.every(({ code }) => code === 'CONFIRMATION_REQUIRED');

const confirmingCall = (sealer: Sealer, node: RunNode, { data }: Event<'step_blocked'>): NextCall => ({
  tool: 'continue_workflow',
  arguments: {
    stateToken: sealer.state(node.id),
    ackToken: sealer.ack(node.id, data.attempt),
    confirmed: agreedHole,
  },
});

/** The user agreed to one thing, and another was recorded: nobody but they can know whether that is right. */
export function changedDraft(parent: RunNode, record: Event<'step_acked'>): WarningTold | undefined {
  const changed = record.data.confirmed === true ? changedSinceDraft(parent, record) : [];
  if (changed.length === 0) return undefined;
  return {
    code: 'DRAFT_CHANGED',
    message: `what was recorded differs in ${changed.join(', ')} from what had waited for the user’s agreement; if they have not seen it so, show them`,
  };
}

/** In what a step as it was recorded differs from what had waited for agreement to it. */
export function changedSinceDraft(parent: RunNode, record: Event<'step_acked'>): readonly string[] {
  const draft = draftBefore(parent, record);
  return draft?.data.blockers.some(({ code }) => code === 'CONFIRMATION_REQUIRED') === true
    ? unlikeDraft(draft.data, record.data)
    : [];
}
