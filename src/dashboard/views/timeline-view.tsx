import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries.js';
import { Skeleton } from '../parts/skeleton.js';
import { FailureNotice } from '../parts/state-notice.js';

/** What happened in a session, in order. */
export function TimelineView({ sessionId }: { readonly sessionId: string; readonly at?: number; readonly runId?: string }) {
  const { data, error, refetch } = useQuery(queries.timeline(sessionId));
  if (data === undefined) return error === null ? <Skeleton what="the timeline" /> : <FailureNotice error={error} retry={() => void refetch()} />;
  return (
    <div>
      <h1>Timeline</h1>
      <ol>
        {data.marks.map(({ event, says }) => (
          <li key={event}>{says}</li>
        ))}
      </ol>
    </div>
  );
}
