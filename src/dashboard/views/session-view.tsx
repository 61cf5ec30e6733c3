import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries.js';
import { Skeleton } from '../parts/skeleton.js';
import { FailureNotice } from '../parts/state-notice.js';

export interface SessionViewProps {
  readonly sessionId: string;
  readonly runId?: string;
  readonly nodeId?: string;
  readonly tab?: string;
}

/** One session. */
export function SessionView({ sessionId }: SessionViewProps) {
  const { data, error, refetch } = useQuery(queries.session(sessionId));
  if (data === undefined) return error === null ? <Skeleton what="the session" /> : <FailureNotice error={error} retry={() => void refetch()} />;
  return <h1>{data.title ?? data.sessionId}</h1>;
}
