import type { WarningTold } from '../contract/answer.js';
import type { Skip, Warning } from '../events/event-data.js';
import type { Preferences } from '../base/preferences.js';

/** Warnings about risks taken on purpose: who chose a bolder policy is not told again and again. */
const quietFor: { readonly [policy in Preferences['riskPolicy']]: ReadonlySet<string> } = {
  conservative: new Set(),
  balanced: new Set(['STEP_SKIPPED']),
  aggressive: new Set(['STEP_SKIPPED', 'BOLDER_THAN_RECOMMENDED', 'CONFIRMATION_PENDING']),
};
const most = 12;

export function tellWarnings(
  preferences: Preferences,
  skipped: readonly Skip[] | undefined,
  ...lists: readonly (readonly (Warning | WarningTold)[] | undefined)[]
): readonly WarningTold[] {
  const skips = (skipped ?? []).map(({ path, title, reason }) => ({
    code: 'STEP_SKIPPED',
    message: `skipped “${title}”: ${reason}`,
    path,
  }));
  const quiet = quietFor[preferences.riskPolicy];
  const told = [...lists.flatMap((list) => list ?? []), ...skips].filter(({ code }) => !quiet.has(code));
  if (told.length <= most) return told;
  const left = told.length - most;
  return [
    ...told.slice(0, most),
    { code: 'MORE_WARNINGS', message: `${left} more warning${left === 1 ? ' is' : 's are'} in the session's log` },
  ];
}
