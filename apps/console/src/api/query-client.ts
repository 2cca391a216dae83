import { QueryCache, QueryClient } from '@tanstack/react-query';
import { ApiProblem } from '#client/api-problem.js';
import { answered, unanswered } from './connection.js';

/**
 * What was read, by path and input. Nothing is read again by itself but for what a screen refreshes: a failure is shown,
 * not hidden behind tries, and the next refresh tries again.
 */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onSuccess: answered,
    onError: (error) => (error instanceof ApiProblem ? answered() : unanswered()),
  }),
  defaultOptions: {
    // A browser that believes itself offline would only pause, and what is on the screen would look fresh.
    queries: { retry: false, networkMode: 'always', staleTime: 2_000 },
    mutations: { retry: false, networkMode: 'always' },
  },
});
