import { useQueryClient } from '@tanstack/react-query';
import { useCallback } from 'react';
import type { AnswerOf, InputOf, OperationOf, PathWith } from '#client/api-call.js';
import { useClient } from '../session/session.js';
import { logged, type ShownCall } from './call-log.js';

type InputAt<P extends PathWith<'post'>> = InputOf<OperationOf<P, 'post'>>;
export type Send = <P extends PathWith<'post'>>(
  path: P,
  input: InputAt<P>,
) => Promise<AnswerOf<OperationOf<P, 'post'>>>;

/** Makes a call that changes something, shows it among the last calls, and reads again what is on the screen. */
export function useSend(): Send {
  const client = useClient();
  const queries = useQueryClient();
  return useCallback(
    async <P extends PathWith<'post'>>(path: P, input: InputAt<P>) => {
      const answer = await logged(shownCall(path, input), () => client.post(path, ...([input] as never)));
      void queries.invalidateQueries();
      return answer;
    },
    [client, queries],
  );
}

/** The call as it goes over the wire, for people to read before or after. */
export function shownCall(path: string, input: object): ShownCall {
  const { path: parts = {}, body } = input as { path?: Record<string, string>; body?: unknown };
  return {
    method: 'POST',
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(parts[name] ?? '')),
    ...(body !== undefined && { body }),
  };
}
