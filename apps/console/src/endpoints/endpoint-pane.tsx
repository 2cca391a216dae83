import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Schemas } from '#client/api-call.js';
import { useApi } from '../api/use-api.js';
import { endingOf } from '../dead-letters/ending.js';
import { placeOf } from '../layout/address.js';
import { Badge } from '../layout/badge.js';
import { Facts } from '../layout/facts.js';
import { ProblemText } from '../layout/problem-text.js';
import { durationText, Moment, useFormat, useNow } from '../layout/time.js';
import { toneOfEndpoint } from '../layout/tone.js';
import { useSession } from '../session/session.js';
import { EndpointActions } from './endpoint-actions.js';
import { EndpointSettings } from './endpoint-settings.js';

const EVERY_MS = 5_000;

/** An endpoint: whether it gets its events and why not, how it went for a day, and what can be done. */
export function EndpointPane({ id }: { id: string }) {
  const { t } = useTranslation();
  const { may } = useSession();
  const { number } = useFormat();
  const now = useNow();
  const { data: endpoint, error } = useApi('/v1/endpoints/{id}', { path: { id } }, { everyMs: EVERY_MS });
  if (!endpoint) return <ProblemText error={error} />;
  const { state, stats, credentials, disabledReason, disabledAt } = endpoint;
  return (
    <>
      <h2>{endpoint.application}</h2>
      <p className="url">{endpoint.url}</p>
      <p>
        <Badge tone={toneOfEndpoint(state)}>{t(`endpoints.states.${state}`)}</Badge>{' '}
        {disabledReason !== null && (
          <>
            {disabledReason} · <Moment at={disabledAt} />
          </>
        )}
      </p>
      <EndpointActions endpoint={endpoint} />
      <Facts
        facts={[
          ['Id', <code key="id">{id}</code>],
          [t('endpoints.pending'), number(stats.pending)],
          [
            t('endpoints.owed'),
            stats.oldestDueAt === null
              ? null
              : durationText(Math.max(0, now - Date.parse(stats.oldestDueAt))),
          ],
          [t('endpoints.failuresInARow'), number(endpoint.consecutiveFailures)],
          [t('endpoints.lastSuccess'), <Moment key="success" at={stats.lastSuccessAt} />],
          [t('endpoints.lastFailure'), <Moment key="failure" at={stats.lastFailureAt} />],
          [t('endpoints.eventTypes'), endpoint.eventTypes?.join(', ') ?? t('endpoints.everyType')],
          [
            t('endpoints.credentials'),
            Object.entries(credentials)
              .map(([name, { set }]) => `${name}: ${set ? t('endpoints.set') : t('endpoints.notSet')}`)
              .join(', ') || null,
          ],
        ]}
      />
      {may('readStats') && <LastDay endpoint={endpoint} />}
      {may('groupDeadLetters') && <LastErrors endpoint={id} />}
      <p className="actions">
        {may('listDeliveries') && (
          <Link href={placeOf('/deliveries', { endpoint: id })} className="action-link">
            {t('rooms.deliveries')}
          </Link>
        )}
        {may('listAudit') && (
          <Link href={placeOf('/audit', { resource: `endpoint:${id}` })} className="action-link">
            {t('rooms.audit')}
          </Link>
        )}
      </p>
      <EndpointSettings application={endpoint.application} />
    </>
  );
}

function LastDay({ endpoint: { id, application } }: { endpoint: Schemas['Endpoint'] }) {
  const { t } = useTranslation();
  const { number, percent } = useFormat();
  const ranking = useApi(
    '/v1/stats',
    { query: { by: 'endpoint', order: 'volume', window: '24h', limit: 200, application: [application] } },
    { everyMs: 3 * EVERY_MS },
  );
  const day = (ranking.data as Schemas['EndpointRanking'] | undefined)?.items.find((item) => item.id === id);
  return (
    <section aria-label={t('endpoints.lastDay')}>
      <h3>{t('endpoints.lastDay')}</h3>
      {day === undefined ? (
        <p className="quiet">{ranking.data ? t('endpoints.noAttempts') : t('layout.loading')}</p>
      ) : (
        <Facts
          facts={[
            [t('endpoints.success'), day.successShare === null ? null : percent(day.successShare)],
            [t('endpoints.attempts'), `${number(day.succeeded)} + ${number(day.failed)}`],
            [
              t('endpoints.duration'),
              day.averageDurationMs === null ? null : durationText(day.averageDurationMs),
            ],
          ]}
        />
      )}
    </section>
  );
}

function LastErrors({ endpoint }: { endpoint: string }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const groups = useApi('/v1/dead-letters/groups', { query: { endpoint } }, { everyMs: 3 * EVERY_MS });
  if (!groups.data || groups.data.items.length === 0) return null;
  return (
    <section aria-label={t('endpoints.deadLetters')}>
      <h3>{t('endpoints.deadLetters')}</h3>
      <ul>
        {groups.data.items.map(({ httpStatus, errorCode, count, oldestFinishedAt }) => (
          <li key={`${httpStatus} ${errorCode}`}>
            {endingOf(httpStatus, errorCode)} × {number(count)} · {t('layout.since')}{' '}
            <Moment at={oldestFinishedAt} />
          </li>
        ))}
      </ul>
      <Link href={placeOf('/redeliver', { endpoint })} className="action-link">
        {t('overview.redeliver')}
      </Link>
    </section>
  );
}
