import type { WarningTold } from '../contract/answer.js';
import type { Skip, Warning } from '../events/event-data.js';
import { modeOf, type Preferences } from '../base/preferences.js';
import { beyondRecommended } from '../definitions/compiled/recommended.js';
import type { Told } from './told.js';

/** Who chose a bolder policy is not told again and again of what follows from it. What nobody agreed to is always told. */
const quietFor: { readonly [policy in Preferences['riskPolicy']]: ReadonlySet<string> } = {
  conservative: new Set(),
  balanced: new Set(),
  aggressive: new Set(['STEP_SKIPPED']),
};
const most = 12;

/** A choice that goes too far comes with the one that does not, as it is handed in. */
export function withRecommended(
  { workflow: { recommends } }: Told,
  chosen: Preferences,
  warnings: readonly Warning[] | undefined,
): readonly WarningTold[] | undefined {
  const boldest = beyondRecommended(chosen, recommends)?.boldest;
  if (boldest === undefined) return warnings;
  const mode = modeOf(boldest);
  const recommended = { ...(mode !== undefined && { mode }), ...boldest };
  return warnings?.map((one) => (one.code === 'BOLDER_THAN_RECOMMENDED' ? { ...one, recommended } : one));
}

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
