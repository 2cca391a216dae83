import { Button } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '#client/api-call.js';
import { ApiProblem } from '#client/api-problem.js';
import { answered, unanswered } from '../api/connection.js';
import { endingOf } from '../dead-letters/ending.js';
import { DeliveryPane } from '../deliveries/delivery-pane.js';
import { useAddress } from '../layout/address.js';
import { Badge } from '../layout/badge.js';
import { FilterChips } from '../layout/filter-chips.js';
import { ProblemText } from '../layout/problem-text.js';
import { type Column, RowList } from '../layout/row-list.js';
import { ListAndPane, Screen } from '../layout/screen.js';
import { durationText, Moment } from '../layout/time.js';
import { useClient } from '../session/session.js';

type Followed = Schemas['FollowedAttempt'];
/** Older ones leave the list. */
const KEPT = 1_000;
const WAIT_SECONDS = 5;
const RETRY_MS = 2_000;

/** Attempts as they are made, the newest first. */
export function AttemptsScreen() {
  const { t } = useTranslation();
  const address = useAddress();
  const open = address.get('open');
  const [isPaused, setPaused] = useState(false);
  const { attempts, error } = useFollowed(isPaused);
  const columns: Column<Followed>[] = [
    {
      title: t('attempts.outcome'),
      share: 2,
      cell: ({ outcome, httpStatus, error: fault }) => (
        <Badge tone={outcome === 'success' ? 'good' : 'bad'}>
          {endingOf(httpStatus, fault?.code ?? null)}
        </Badge>
      ),
    },
    { title: t('deliveries.application'), share: 2, cell: ({ application }) => application },
    { title: 'URL', share: 5, cell: ({ url }) => url },
    { title: t('attempts.duration'), share: 1.2, cell: ({ durationMs }) => durationText(durationMs) },
    {
      title: t('attempts.trigger'),
      share: 1.5,
      onlyWide: true,
      cell: ({ trigger }) => t(`deliveries.triggers.${trigger}`),
    },
    {
      title: t('attempts.started'),
      share: 2.4,
      onlyWide: true,
      cell: ({ startedAt }) => <Moment at={startedAt} />,
    },
  ];
  return (
    <Screen
      title={t('rooms.attempts')}
      aside={
        <Button variant="default" aria-pressed={isPaused} onClick={() => setPaused(!isPaused)}>
          {isPaused ? t('attempts.goOn') : t('attempts.pause')}
        </Button>
      }
    >
      <FilterChips
        filters={[
          {
            name: 'outcome',
            label: t('attempts.outcome'),
            choices: ['success', 'http_auth', 'http_4xx', 'http_429', 'http_5xx', 'timeout', 'connect'],
          },
          { name: 'application', label: t('deliveries.application') },
          { name: 'endpoint', label: t('deliveries.endpoint') },
        ]}
      />
      <ProblemText error={error} />
      <ListAndPane
        list={
          <RowList
            label={t('rooms.attempts')}
            items={attempts}
            idOf={({ delivery }) => delivery}
            columns={columns}
            open={open}
            onOpen={(id) => address.set({ open: id })}
            empty={t('attempts.waiting')}
          />
        }
        pane={open && <DeliveryPane id={open} />}
        onClose={() => address.set({ open: undefined })}
      />
    </Screen>
  );
}

/** Begins with now, and anew with other filters; what comes during a pause comes after it. */
function useFollowed(isPaused: boolean): { attempts: readonly Followed[]; error: unknown } {
  const client = useClient();
  const address = useAddress();
  const filter = JSON.stringify({
    application: address.list('application'),
    endpoint: address.list('endpoint'),
    outcome: address.list('outcome'),
  });
  const [followed, setFollowed] = useState<{ filter: string; after?: string; attempts: readonly Followed[] }>(
    {
      filter,
      attempts: [],
    },
  );
  const [error, setError] = useState<unknown>(null);
  const current = followed.filter === filter ? followed : null;
  const after = current?.after;
  useEffect(() => {
    if (isPaused) return;
    const gone = new AbortController();
    const follow = async () => {
      let position = after;
      while (!gone.signal.aborted) {
        try {
          const page = await client.get('/v1/attempts', {
            query: {
              ...(JSON.parse(filter) as object),
              after: position,
              wait: position ? WAIT_SECONDS : 0,
              limit: 200,
            },
            signal: gone.signal,
          });
          answered();
          position = page.nextCursor;
          setError(null);
          setFollowed((known) => ({
            filter,
            after: page.nextCursor,
            attempts: [...page.items.toReversed(), ...(known.filter === filter ? known.attempts : [])].slice(
              0,
              KEPT,
            ),
          }));
        } catch (fault) {
          if (gone.signal.aborted) return;
          if (fault instanceof ApiProblem) setError(fault);
          else unanswered();
          await new Promise((resolve) => setTimeout(resolve, RETRY_MS));
        }
      }
    };
    void follow();
    return () => gone.abort();
    // Where it was is only read when it begins again: each page moves it on.
    // eslint-disable-next-line react-hooks/exhaustive-deps
  }, [client, filter, isPaused]);
  return { attempts: current?.attempts ?? [], error };
}
