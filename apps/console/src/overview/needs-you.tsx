import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Schemas } from '#client/api-call.js';
import { useApi, useApiList } from '../api/use-api.js';
import { endingOf } from '../dead-letters/ending.js';
import { Badge } from '../layout/badge.js';
import { placeOf } from '../layout/address.js';
import { DAY_MS, durationText, MINUTE_MS, useFormat, useNow } from '../layout/time.js';
import type { Tone } from '../layout/tone.js';
import { lateEndpoints } from './verdict.js';

const GROUPS_EVERY_MS = 10_000;
const REPLAYS_EVERY_MS = 5_000;
const REJECTIONS_EVERY_MS = 30_000;
/** Read of the rejections of a day, to be counted by code. */
const REJECTIONS_READ = 200;

interface Need {
  readonly key: string;
  readonly tone: Tone;
  readonly kind: string;
  readonly text: ReactNode;
  readonly action: string;
  readonly href: string;
}

/** What waits for somebody, the most harmful first, each with the one thing to do about it. */
export function NeedsYou({
  stats,
  byLag,
}: {
  stats: Schemas['Stats'] | null;
  byLag: Schemas['EndpointRanking']['items'];
}) {
  const { t } = useTranslation();
  const { clock, number } = useFormat();
  // To the minute, so that the list is not asked anew each second.
  const yesterday = new Date(Math.floor(useNow(MINUTE_MS) / MINUTE_MS) * MINUTE_MS - DAY_MS).toISOString();
  const groups = useApi('/v1/dead-letters/groups', {}, { everyMs: GROUPS_EVERY_MS });
  const replays = useApi('/v1/replays', { query: { limit: 20 } }, { everyMs: REPLAYS_EVERY_MS });
  const rejections = useApiList(
    '/v1/rejections',
    { query: { since: yesterday, limit: REJECTIONS_READ } },
    { everyMs: REJECTIONS_EVERY_MS },
  );
  const needs: Need[] = [];

  for (const { id, application, disabledAt, disabledReason } of stats?.disabledEndpoints ?? []) {
    needs.push({
      key: `disabled ${id}`,
      tone: 'bad',
      kind: t('overview.kindDisabled'),
      text: t('overview.disabledRow', {
        application,
        since: disabledAt === null ? '?' : clock(disabledAt),
        reason: disabledReason ?? '',
      }),
      action: t('overview.verifyEnable'),
      href: placeOf('/endpoints', { open: id }),
    });
  }
  for (const { id, application, url, owedMs, lastHttpStatus, lastError } of lateEndpoints(
    byLag,
    stats === null ? 0 : Date.parse(stats.at),
  )) {
    needs.push({
      key: `late ${id}`,
      tone: 'bad',
      kind: t('overview.kindLate'),
      text: t('overview.lateRow', {
        application,
        url,
        late: durationText(owedMs),
        error: endingOf(lastHttpStatus, lastError?.code ?? null),
      }),
      action: t('overview.look'),
      href: placeOf('/endpoints', { open: id }),
    });
  }
  for (const group of groups.data?.items ?? []) {
    const { application, endpoint, httpStatus, errorCode, count, oldestFinishedAt } = group;
    const ending = endingOf(httpStatus, errorCode);
    needs.push({
      key: `dead ${endpoint} ${ending}`,
      tone: 'bad',
      kind: t('overview.kindDead'),
      text: t('overview.deadRow', {
        application,
        ending,
        number: number(count),
        since: clock(oldestFinishedAt),
      }),
      action: t('overview.redeliver'),
      href: placeOf('/redeliver', { endpoint }),
    });
  }
  for (const [code, count] of countedBy(rejections.items.map((rejection) => rejection.code))) {
    needs.push({
      key: `rejected ${code}`,
      tone: 'warn',
      kind: t('overview.kindRejected'),
      text: t('overview.rejectedRow', {
        code,
        number: rejections.hasNextPage ? `≥ ${number(count)}` : number(count),
      }),
      action: t('overview.look'),
      href: placeOf('/rejections', { code }),
    });
  }
  for (const replay of replays.data?.items ?? []) {
    if (replay.state !== 'running') continue;
    needs.push({
      key: `replay ${replay.id}`,
      tone: 'info',
      kind: t('overview.kindReplay'),
      text: t('overview.replayRow', {
        by: replay.createdBy,
        done: number(replay.queued + replay.skipped),
        matched: number(replay.matched),
      }),
      action: t('overview.look'),
      href: placeOf('/replays', { open: replay.id }),
    });
  }

  return (
    <section aria-labelledby="needs-you" className="needs">
      <h2 id="needs-you">{t('overview.needsYou')}</h2>
      {needs.length === 0 ? (
        <p className="quiet">{groups.data ? t('overview.nothingNeeded') : t('layout.loading')}</p>
      ) : (
        <ul>
          {needs.map(({ key, tone, kind, text, action, href }) => (
            <li key={key}>
              <Badge tone={tone}>{kind}</Badge>
              <span className="need-text">{text}</span>
              <Link href={href} className="action-link">
                {action}
              </Link>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The most frequent first. */
function countedBy(codes: readonly string[]): [string, number][] {
  const counts = new Map<string, number>();
  for (const code of codes) counts.set(code, (counts.get(code) ?? 0) + 1);
  return [...counts].sort(([, a], [, b]) => b - a);
}
