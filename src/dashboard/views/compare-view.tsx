import { useQuery } from '@tanstack/react-query';
import { queries } from '../api/queries.js';
import { Skeleton } from '../parts/skeleton.js';
import { FailureNotice, StateNotice } from '../parts/state-notice.js';

export interface CompareViewProps {
  readonly sessionId?: string;
  readonly a?: string;
  readonly b?: string;
}

/** Two nodes of a session beside each other. */
export function CompareView({ sessionId = '', a = '', b = '' }: CompareViewProps) {
  const chosen = sessionId !== '' && a !== '' && b !== '';
  const { data, error, refetch } = useQuery({ ...queries.compared(sessionId, a, b), enabled: chosen });
  if (!chosen) return <StateNotice kind="empty" title="Choose two branches of a session to compare" />;
  if (data === undefined) return error === null ? <Skeleton what="the comparison" /> : <FailureNotice error={error} retry={() => void refetch()} />;
  return <h1>Compared: {data.steps.length} steps differ</h1>;
}
