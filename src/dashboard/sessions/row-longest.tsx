import { longestWords } from '../../contract/longest-words.js';
import type { SessionListed } from '../../contract/session-list.js';
import { visibleTitle } from '../../render/visible-text.js';
import { Link } from '../router/link.js';

export interface RowLongestProps {
  readonly sessionId: string;
  readonly longest: SessionListed['longest'] | undefined;
  /** The tab key leads to it. */
  readonly chosen: boolean;
}

/** The step that took longest; leads to that step. */
export function RowLongest({ sessionId, longest, chosen }: RowLongestProps) {
  if (longest === undefined) return <div className="row-hit one-line quiet">No step took a second</div>;
  const { runId, nodeId } = longest;
  return (
    <div className="row-hit one-line">
      Longest step:{' '}
      <Link to={{ view: 'session', sessionId, runId, nodeId }} tabIndex={chosen ? 0 : -1}>
        {visibleTitle(longestWords(longest))}
      </Link>
    </div>
  );
}
