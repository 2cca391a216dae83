import { keepPreviousData, useQuery } from '@tanstack/react-query';
import type { Schemas } from '#client/api-call.js';
import { useClient } from '../session/session.js';
import type { Redelivery } from './redelivery.js';

const EVERY_MS = 5_000;

/** What a redelivery would take, counted again and again while it is looked at; nothing is changed by it. */
export function usePreview(redelivery: Redelivery | null) {
  const client = useClient();
  return useQuery({
    queryKey: ['preview', redelivery],
    enabled: redelivery !== null,
    queryFn: async ({ signal }) => {
      const { path, input } = redelivery!;
      const body = { ...input.body, dryRun: true, ratePerSecond: undefined };
      return (await client.post(path, { ...input, body, signal })) as Schemas['ReplayPreview'];
    },
    placeholderData: keepPreviousData,
    refetchInterval: EVERY_MS,
  });
}
