import { Button, CloseButton } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Schemas } from '#client/api-call.js';
import { useApi } from '../api/use-api.js';
import { shownCall, useSend } from '../api/use-send.js';
import { countsOf, FAILURES_THAT_STOP, tallied } from '../dead-letters/redelivery-tally.js';
import { ActionButton } from '../layout/action-button.js';
import { placeOf } from '../layout/address.js';
import { CopyButton } from '../layout/copy-button.js';
import { durationText, SECOND_MS, useFormat, useNow } from '../layout/time.js';
import { useSession } from '../session/session.js';
import {
  forgetWatched,
  updateWatched,
  useWatchedReplays,
  type WatchedReplay,
  watchedReplay,
} from './watched-replays.js';

const EVERY_MS = SECOND_MS;

/** How the redeliveries of this tab go, over every screen until they are put away. */
export function ReplayStrip() {
  const { t } = useTranslation();
  const { may } = useSession();
  const watched = useWatchedReplays();
  if (watched.length === 0 || !may('listReplays')) return null;
  return (
    <section aria-label={t('replays.running')} className="replay-strip">
      {watched.map((replay) => (
        <WatchedRow key={replay.id} watched={replay} />
      ))}
    </section>
  );
}

function WatchedRow({ watched }: { watched: WatchedReplay }) {
  const { id, to, tally, stoppedAfterFailures } = watched;
  const { t } = useTranslation();
  const { number } = useFormat();
  const send = useSend();
  const now = useNow();
  const { data: replay } = useApi('/v1/replays/{id}', { path: { id } }, { everyMs: EVERY_MS });
  const { delivered, waiting, dead } = countsOf(tally);
  const isRunning = replay?.state === 'running';
  const open = (replay?.queued ?? 0) - delivered - dead - waiting;
  const isSettled = replay !== undefined && !isRunning && open <= 0 && waiting === 0;
  useTally(watched, !isSettled);
  useStopAfterFailures(watched, isRunning);
  if (!replay) return null;

  const done = replay.queued + replay.skipped;
  const cancel = { path: { id } };
  return (
    <div className="replay-row" role="group" aria-label={t('replays.to', { to })}>
      <progress value={done} max={replay.matched || 1} aria-label={t('replays.progress')} />
      <p role="status" aria-live="polite">
        <strong>{t(`replays.state.${replay.state}`)}</strong>{' '}
        {t('replays.counts', {
          to,
          queued: number(replay.queued),
          matched: number(replay.matched),
          delivered: number(delivered),
          waiting: number(waiting),
          dead: number(dead),
        })}
        {replay.skipped > 0 && ` ${t('replays.skipped', { number: number(replay.skipped) })}`}
        {isRunning && ` ${leftText(replay, now, t('replays.left'))}`}
      </p>
      {stoppedAfterFailures && replay.state === 'canceled' && (
        <p className="tone-bad" role="alert">
          {t('replays.stoppedItself', { number: FAILURES_THAT_STOP })}
        </p>
      )}
      {isRunning ? (
        <>
          <ActionButton
            label={t('replays.stop')}
            color="red"
            variant="filled"
            call={shownCall('/v1/replays/{id}/cancel', cancel)}
            run={() => send('/v1/replays/{id}/cancel', cancel)}
          />
          <span className="quiet">{t('replays.whileOpen')}</span>
        </>
      ) : (
        <>
          <EndLine
            replay={replay}
            to={to}
            delivered={delivered}
            dead={dead}
            waiting={waiting + Math.max(0, open)}
          />
          <CloseButton aria-label={t('replays.putAway')} onClick={() => forgetWatched(id)} />
          {!isSettled && <span className="quiet">{t('replays.stillSending')}</span>}
        </>
      )}
    </div>
  );
}

/** The line to paste, with the way to what the audit says of it. */
function EndLine(props: {
  replay: Schemas['Replay'];
  to: string;
  delivered: number;
  dead: number;
  waiting: number;
}) {
  const { replay, to, delivered, dead, waiting } = props;
  const { t } = useTranslation();
  const { number, clock } = useFormat();
  const line = t('replays.line', {
    number: number(replay.queued),
    to,
    by: replay.createdBy,
    from: clock(replay.createdAt),
    until: clock(replay.finishedAt ?? replay.createdAt),
    delivered: number(delivered),
    dead: number(dead),
  });
  const whole = waiting === 0 ? line : `${line}, ${t('replays.lineWaiting', { number: number(waiting) })}`;
  return (
    <div className="end-line">
      <output aria-label={t('replays.lineLabel')}>{whole}</output>
      <CopyButton text={whole} label={t('replays.copyLine')} />
      <Link href={placeOf('/audit', { resource: `replay:${replay.id}` })} className="action-link">
        {t('replays.audit')}
      </Link>
      <Button component="a" href={`/console${placeOf('/replays', { open: replay.id })}`} variant="subtle">
        {replay.id}
      </Button>
    </div>
  );
}

function leftText(
  { matched, queued, skipped, ratePerSecond, createdAt }: Schemas['Replay'],
  now: number,
  left: string,
) {
  const done = queued + skipped;
  const goneSeconds = (now - Date.parse(createdAt)) / SECOND_MS;
  const perSecond = ratePerSecond ?? (goneSeconds > 1 ? done / goneSeconds : 0);
  if (perSecond <= 0 || done >= matched) return '';
  return `· ${left} ${durationText(((matched - done) / perSecond) * SECOND_MS)}`;
}

/** Follows the attempts of the redelivery, from where it was, until all of them have ended. */
function useTally({ id, endpoint, application }: WatchedReplay, isNeeded: boolean): void {
  const { client } = useSession();
  useEffect(() => {
    if (!isNeeded) return;
    const gone = new AbortController();
    const follow = async () => {
      for (let known = watchedReplay(id); known && !gone.signal.aborted; known = watchedReplay(id)) {
        try {
          const page = await client.get('/v1/attempts', {
            query: {
              after: known.tally.after,
              wait: 5,
              limit: 200,
              ...(endpoint !== undefined && { endpoint: [endpoint] }),
              ...(application !== undefined && { application: [application] }),
            },
            signal: gone.signal,
          });
          updateWatched(id, (replay) => ({
            ...replay,
            tally: tallied(replay.tally, page.items, page.nextCursor),
          }));
        } catch {
          // The banner says that nothing answers; this goes on where it was.
          await new Promise((resolve) => setTimeout(resolve, 2 * EVERY_MS));
        }
      }
    };
    void follow();
    return () => gone.abort();
  }, [client, id, endpoint, application, isNeeded]);
}

/** Ends it from here: the API itself would go on to the last. */
function useStopAfterFailures({ id, tally, stoppedAfterFailures }: WatchedReplay, isRunning: boolean): void {
  const send = useSend();
  const queries = useQueryClient();
  const stop = isRunning && !stoppedAfterFailures && tally.failuresInARow >= FAILURES_THAT_STOP;
  useEffect(() => {
    if (!stop) return;
    updateWatched(id, (replay) => ({ ...replay, stoppedAfterFailures: true }));
    send('/v1/replays/{id}/cancel', { path: { id } }).catch(() => queries.invalidateQueries());
  }, [stop, id, send, queries]);
}
