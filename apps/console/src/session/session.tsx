import { createContext, type ReactNode, useCallback, useContext, useEffect, useMemo, useState } from 'react';
import type { Schemas } from '#client/api-call.js';
import { ApiProblem } from '#client/api-problem.js';
import { EntregaClient } from '#client/entrega-client.js';
import { forgetCalls } from '../api/call-log.js';
import { queryClient } from '../api/query-client.js';
import { forgetAllWatched } from '../replays/watched-replays.js';
import { mayCall, type Operation } from './abilities.js';
import { KeyEntry } from './key-entry.js';

/** In the tab, and gone with it: neither other tabs nor the next start of the browser find the key. */
const STORED = 'entrega.key';

interface Session {
  readonly client: EntregaClient;
  readonly owner: Schemas['ApiKey'];
  may(operation: Operation): boolean;
  leave(): void;
}

const SessionContext = createContext<Session | null>(null);

function clientWith(key: string): EntregaClient {
  return new EntregaClient({ url: window.location.origin, key, timeoutMs: 10_000, maxRetries: 0 });
}

/** Asks for a key where the tab has none that works, and shows the screens to its owner. */
export function SessionGate({ children }: { children: ReactNode }) {
  const [key, setKey] = useState(() => sessionStorage.getItem(STORED));
  const [owner, setOwner] = useState<Schemas['ApiKey'] | null>(null);
  const [refusal, setRefusal] = useState<Error | null>(null);

  useEffect(() => {
    if (key === null) return;
    const gone = new AbortController();
    clientWith(key)
      .get('/v1/api-keys/current', { signal: gone.signal })
      .then((found) => {
        sessionStorage.setItem(STORED, key);
        setRefusal(null);
        setOwner(found);
      })
      .catch((error: unknown) => {
        if (gone.signal.aborted) return;
        // Where nothing answers the key may be right: it stays for the next try.
        if (error instanceof ApiProblem) sessionStorage.removeItem(STORED);
        setRefusal(error as Error);
        setKey(null);
      });
    return () => gone.abort();
  }, [key]);

  const leave = useCallback(() => {
    forgetAllWatched();
    forgetCalls();
    queryClient.clear();
    sessionStorage.removeItem(STORED);
    setOwner(null);
    setKey(null);
  }, []);

  // A key that was deleted or has ended meanwhile.
  useEffect(
    () =>
      queryClient.getQueryCache().subscribe((event) => {
        if (event.type !== 'updated' || event.action.type !== 'error') return;
        const { error } = event.action;
        if (!(error instanceof ApiProblem) || error.status !== 401) return;
        setRefusal(error);
        leave();
      }),
    [leave],
  );

  const session = useMemo<Session | null>(() => {
    if (key === null || owner === null) return null;
    return {
      client: clientWith(key),
      owner,
      may: (operation) => mayCall(owner.role, operation),
      leave,
    };
  }, [key, owner, leave]);

  if (session) return <SessionContext value={session}>{children}</SessionContext>;
  return <KeyEntry isChecking={key !== null} refusal={refusal} onKey={setKey} />;
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (!session) throw new Error('Screens stand within the session.');
  return session;
}

export function useClient(): EntregaClient {
  return useSession().client;
}
