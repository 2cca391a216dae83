import { keepPreviousData, useInfiniteQuery, useQuery, type UseQueryResult } from '@tanstack/react-query';
import type { AnswerOf, InputOf, ItemOf, ListPath, OperationOf, PathWith } from '#client/api-call.js';
import { useClient } from '../session/session.js';

type InputAt<P extends PathWith<'get'>> = InputOf<OperationOf<P, 'get'>>;

export interface Refresh {
  /** How often it is read again while it is on the screen. Milliseconds; never without it. */
  readonly everyMs?: number;
  readonly enabled?: boolean;
}

/** Reads one thing of the API. */
export function useApi<P extends PathWith<'get'>>(
  path: P,
  input: InputAt<P>,
  { everyMs, enabled = true }: Refresh = {},
): UseQueryResult<AnswerOf<OperationOf<P, 'get'>>> {
  const client = useClient();
  return useQuery({
    queryKey: [path, input],
    queryFn: ({ signal }) => client.get(path, ...([{ ...input, signal }] as never)),
    enabled,
    ...(everyMs !== undefined && { refetchInterval: everyMs }),
  });
}

const PAGE = 200;

interface ListPage<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** Reads a list page by page, as far as it is looked at. */
export function useApiList<P extends ListPath>(
  path: P,
  input: InputAt<P>,
  { everyMs, enabled = true }: Refresh = {},
) {
  const client = useClient();
  const query = useInfiniteQuery({
    queryKey: [path, 'list', input],
    initialPageParam: undefined as string | undefined,
    queryFn: async ({ signal, pageParam }): Promise<ListPage<ItemOf<P>>> => {
      const given = input as { query?: object };
      const query = { limit: PAGE, ...given.query, cursor: pageParam };
      return client.get(path, ...([{ ...given, query, signal }] as never));
    },
    getNextPageParam: (page) => page.nextCursor ?? undefined,
    placeholderData: keepPreviousData,
    enabled,
    // Only the first page: beyond it, reading everything again would cost more than it tells.
    refetchInterval: ({ state }) =>
      everyMs === undefined || (state.data?.pages.length ?? 0) > 1 ? false : everyMs,
  });
  return { ...query, items: query.data?.pages.flatMap((page) => page.items) ?? [] };
}
