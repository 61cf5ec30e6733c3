import { limits } from '../base/limits.js';
import { sentenceText } from '../base/sentence.js';
import type { Judgement } from '../engine/judge-step.js';
import type { Position, StepName, Warning } from '../events/event-data.js';
import type { GapList } from './gap-list.js';

/** In never-stop what is missing is disclosed, and the run goes on. */
export function tellUnmet(
  { mend, user }: Judgement,
  { path, frames }: Position,
  gaps: GapList,
  warnings: Warning[],
): void {
  const left = mend.length - limits.blockers;
  if (left > 0)
    gaps.addCritical('contract_violation', 'more', `${left} more things were missing or wrong than are listed`);
  for (const { pointer, message: sentence, code, stands } of mend.slice(0, limits.blockers)) {
    const message = sentenceText(sentence);
    const detail = `${path}: ${message} (${pointer})`;
    // In a loop what stands is what another round said.
    const severity = stands === true && frames.length === 0 ? 'warning' : 'critical';
    gaps.add({ category: 'contract_violation', reason: code.toLowerCase(), detail, severity });
    warnings.push({ code: 'GAP_RECORDED', message: `went on although ${message}` });
  }
  for (const { pointer, message: sentence } of user) {
    const message = sentenceText(sentence);
    if (!pointer.startsWith('/output/gaps/'))
      gaps.addCritical('user_only_dependency', message.split(':')[0] ?? message, message);
    warnings.push({ code: 'GAP_RECORDED', message: `went on without what only the user can give: ${message}` });
  }
}

/** Whoever chose to go on without a person finds at the end what nobody agreed to. */
export function tellUnconfirmed(
  { unconfirmed }: Judgement,
  { path, title }: StepName,
  gaps: GapList,
  warnings: Warning[],
): void {
  if (unconfirmed === undefined) return;
  const message = sentenceText(unconfirmed.message);
  warnings.push({ code: 'CONFIRMATION_PENDING', message: `went on although ${message}`, path });
  gaps.addCritical('confirmation', 'needs_user_approval', `${path}: the user has not confirmed “${title}”`);
}
