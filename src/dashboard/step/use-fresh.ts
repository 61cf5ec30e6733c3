import type { UseQueryResult } from '@tanstack/react-query';
import { useState } from 'react';

/**
 * What was asked for as it is now: not what is kept from before while the answer is on its way.
 * Once it is known it stays known while it is asked for anew, so that nothing jumps.
 */
export function useFresh<Value>(key: string, asked: UseQueryResult<Value>): Value | undefined {
  const { data, isPlaceholderData, isFetchedAfterMount, isFetching, isError } = asked;
  const isNow = !isPlaceholderData && !isError && (isFetchedAfterMount || !isFetching);
  const [known, setKnown] = useState({ key, is: isNow });
  if (known.key !== key || (isNow && !known.is)) setKnown({ key, is: isNow });
  return isNow || (known.key === key && known.is && !isPlaceholderData) ? data : undefined;
}
