import { useQuery } from '@tanstack/react-query';
import type { WaitingHere, WaitingRow } from '../../contract/question-told.js';
import { queries } from '../api/queries.js';

/** What waits for the person in all sessions; the page's frame keeps it fresh. */
export function useWaiting(): WaitingHere | undefined {
  const { data } = useQuery({
    ...queries.waiting(),
    refetchInterval: ({ state }) => (state.data?.reading === undefined ? false : 700),
  });
  return data;
}

/** Tells one row from another, also after it has been asked anew. */
export const rowKey = ({ kind, sessionId, nodeId }: WaitingRow): string => [kind, sessionId, nodeId].join(' ');
