import type { EventData } from '../events/event-data.js';
import type { FoldedSession, RunNode } from '../sessions/folded-session.js';
import { openGapsAt } from '../sessions/gaps.js';
import { openRunsBeside } from '../sessions/open-runs.js';
import type { GapList } from './gap-list.js';

const openGapsTold = 50;

/** What stands open when a run ends: its answer names it, whatever becomes of it later. */
export function atEnd(
  session: FoldedSession,
  node: RunNode,
  gaps: GapList,
): Pick<EventData<'step_acked'>, 'openGaps' | 'openRuns'> {
  const open = openRunsBeside(session, node.run);
  return { openGaps: openAtEnd(session, node, gaps), ...(open.length > 0 && { openRuns: [...open] }) };
}

function openAtEnd(
  session: FoldedSession,
  node: RunNode,
  added: GapList,
): NonNullable<EventData<'step_acked'>['openGaps']> {
  const resolved = new Set(added.gaps.flatMap(({ resolves }) => (resolves === undefined ? [] : [resolves])));
  const open = [
    ...openGapsAt(session, node).filter(({ id }) => !resolved.has(id)),
    ...added.gaps.filter(({ resolves }) => resolves === undefined),
  ];
  return {
    shown: open.slice(-openGapsTold).map(({ id }) => id),
    omitted: Math.max(0, open.length - openGapsTold),
    critical: open.filter(({ severity }) => severity === 'critical').length,
  };
}
