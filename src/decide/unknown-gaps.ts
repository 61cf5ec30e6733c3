import type { GapId } from '../base/ids.js';
import type { Gap } from '../events/event-data.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { gapsAt } from '../sessions/gaps.js';
import type { RequestedOutput } from './requested-output.js';

export interface UnknownGap {
  readonly index: number;
  readonly id: GapId;
  /** What could have been meant. */
  readonly open: readonly GapId[];
}

/** Gaps that a request claims to settle and that are not on the way to where it stands. */
export function unknownGaps(
  session: FoldedSession,
  node: RunNode | undefined,
  output: RequestedOutput | undefined,
): readonly UnknownGap[] {
  const claims = (output?.gaps ?? []).flatMap(({ resolves }, index) =>
    resolves === undefined ? [] : [{ index, id: resolves }],
  );
  if (claims.length === 0) return [];
  const gaps: readonly (Gap & { readonly resolved?: boolean })[] =
    node === undefined ? session.checkpoints.flatMap(({ data }) => data.gaps ?? []) : gapsAt(session, node);
  const known = new Set(gaps.map(({ id }) => id));
  const open = gaps.filter(({ resolved, resolves }) => resolved !== true && resolves === undefined).map(({ id }) => id);
  return claims.filter(({ id }) => !known.has(id)).map((claim) => ({ ...claim, open }));
}
