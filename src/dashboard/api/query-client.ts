import { QueryClient } from '@tanstack/react-query';
import { ApiFailure } from './api-failure.js';

export const queryClient = new QueryClient({
  defaultOptions: {
    queries: {
      // The live stream says what has changed; coming back to the window asks again only what is old.
      staleTime: 60_000,
      // This machine is reachable without a network.
      networkMode: 'always',
      retry: (failures, error) => error instanceof ApiFailure && error.told?.retryable === true && failures < 2,
    },
    mutations: { networkMode: 'always', retry: false },
  },
});
