import type { GapId } from '../base/ids.js';
import { isAgreementGap } from '../base/agreement-gap.js';
import type { Gap } from '../events/event-data.js';
import type { Who } from '../events/event.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { gapsAt } from '../sessions/gaps.js';
import type { RequestedOutput } from './requested-output.js';

export interface WrongSettlement {
  readonly index: number;
  readonly id: GapId;
  /** What could have been meant. */
  readonly open: readonly GapId[];
  /** It is known, and only a person can settle it. */
  readonly ofUser?: true;
}

/** Gaps that a request claims to settle and cannot: they are not on the way to where it stands, or are not an agent's to settle. */
export function wrongSettlements(
  session: FoldedSession,
  node: RunNode | undefined,
  output: RequestedOutput | undefined,
  who: Who | undefined,
): readonly WrongSettlement[] {
  const claims = (output?.gaps ?? []).flatMap(({ resolves }, index) =>
    resolves === undefined ? [] : [{ index, id: resolves }],
  );
  if (claims.length === 0) return [];
  const gaps: readonly (Gap & { readonly resolved?: boolean })[] =
    node === undefined ? session.checkpoints.flatMap(({ data }) => data.gaps ?? []) : gapsAt(session, node);
  const known = new Map(gaps.map((gap) => [gap.id, gap]));
  const open = gaps.filter(({ resolved, resolves }) => resolved !== true && resolves === undefined).map(({ id }) => id);
  return claims.flatMap((claim): readonly WrongSettlement[] => {
    const gap = known.get(claim.id);
    if (gap === undefined) return [{ ...claim, open }];
    return who === undefined && isAgreementGap(gap) ? [{ ...claim, open, ofUser: true }] : [];
  });
}
