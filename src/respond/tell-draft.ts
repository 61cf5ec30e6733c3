import { agreedHole } from '../base/agreed-hole.js';
import { hole } from '../base/hole.js';
import { firstWords } from '../base/byte-budget.js';
import { limits } from '../base/limits.js';
import type { NextCall } from '../base/rejection.js';
import type { DraftTold, WarningTold } from '../contract/answer.js';
import type { Event } from '../events/event.js';
import { draftBefore, draftEntry, keysAsked, keysGiven, unlikeDraft } from '../sessions/drafts.js';
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
    ...(isSettledByWord(draft) && { confirm: settlingCall(sealer, node, draft) }),
  };
}

/** Nothing is missing but the user's agreement and what they were asked for. */
const isSettledByWord = (draft: Event<'step_blocked'>): boolean =>
  draft.data.refused === undefined &&
  draft.data.blockers.length === keysAsked(draft).length + (asksAgreement(draft) ? 1 : 0);

const asksAgreement = ({ data }: Event<'step_blocked'>): boolean =>
  data.blockers.some(({ code }) => code === 'CONFIRMATION_REQUIRED');

function settlingCall(sealer: Sealer, node: RunNode, draft: Event<'step_blocked'>): NextCall {
  const keys = keysAsked(draft);
  return {
    tool: 'continue_workflow',
    arguments: {
      stateToken: sealer.state(node.id),
      ackToken: sealer.ack(node.id, draft.data.attempt),
      ...(keys.length > 0 && {
        context: Object.fromEntries(keys.map((key) => [key, hole('what the user answers')])),
      }),
      ...(asksAgreement(draft) && { confirmed: agreedHole }),
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
  const agreed = record.data.confirmed === true && asksAgreement(draft);
  // What was asked for is no change.
  return agreed || given.length > 0 ? unlikeDraft(draft.data, record.data, given) : [];
}
