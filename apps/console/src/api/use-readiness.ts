import { useQuery } from '@tanstack/react-query';
import type { Schemas } from '#client/api-call.js';
import { ApiProblem } from '#client/api-problem.js';
import { useClient } from '../session/session.js';

const EVERY_MS = 5_000;

/** Null: not known. */
export type Readiness = Schemas['Readiness']['status'] | null;

/** Whether database and transport are there; null where OPS_PORT has moved the answer elsewhere. */
export function useReadiness() {
  const client = useClient();
  return useQuery({
    queryKey: ['/readyz'],
    queryFn: async ({ signal }): Promise<Readiness> => {
      try {
        return (await client.get('/readyz', { signal })).status;
      } catch (error) {
        if (!(error instanceof ApiProblem)) throw error;
        return error.status === 503 ? 'unready' : null;
      }
    },
    refetchInterval: EVERY_MS,
  });
}
