import { useTranslation } from 'react-i18next';
import type { Schemas } from '#client/api-call.js';
import { useConnection } from '../api/connection.js';
import { useApi } from '../api/use-api.js';
import { useReadiness } from '../api/use-readiness.js';
import { ProblemText } from '../layout/problem-text.js';
import { Screen } from '../layout/screen.js';
import { ageText, durationText, useFormat, useNow } from '../layout/time.js';
import { Figures } from './figures.js';
import { NeedsYou } from './needs-you.js';
import { FIGURES_EVERY_MS, type Verdict, verdictOf } from './verdict.js';

/** The first screen: how it goes, in figures, and what somebody has to do. */
export function OverviewScreen() {
  const { t } = useTranslation();
  const now = useNow();
  const { lostSinceMs } = useConnection();
  const stats = useApi('/v1/stats', {}, { everyMs: FIGURES_EVERY_MS });
  const ranking = useApi(
    '/v1/stats',
    { query: { by: 'endpoint', order: 'lag', limit: 50 } },
    { everyMs: FIGURES_EVERY_MS },
  );
  const readiness = useReadiness();
  const figures = (stats.data ?? null) as Schemas['Stats'] | null;
  const byLag = ((ranking.data ?? null) as Schemas['EndpointRanking'] | null)?.items ?? [];
  // Readiness goes last where it never answered; the others must both be fresh.
  const ageMs = now - Math.min(stats.dataUpdatedAt, ranking.dataUpdatedAt);
  const verdict = verdictOf({
    stats: ranking.data === undefined ? null : figures,
    byLag,
    readiness: readiness.data ?? null,
    ageMs,
    isConnected: lostSinceMs === null,
  });
  return (
    <Screen title={t('rooms.overview')}>
      <VerdictLine verdict={verdict} ageMs={figures === null ? null : ageMs} />
      {figures && <Figures stats={figures} isStale={verdict.tone === 'stale'} />}
      <ProblemText error={stats.error ?? ranking.error} />
      <NeedsYou stats={figures} byLag={byLag} />
    </Screen>
  );
}

function VerdictLine({ verdict, ageMs }: { verdict: Verdict; ageMs: number | null }) {
  const { t } = useTranslation();
  const sentence = useSentence(verdict);
  return (
    <div className={`verdict verdict-${verdict.tone}`}>
      <p role="status" aria-label={t('overview.verdict')} data-tone={verdict.tone}>
        {sentence}
      </p>
      {ageMs !== null && <span>{t('overview.age', { age: ageText(ageMs) })}</span>}
    </div>
  );
}

function useSentence(verdict: Verdict): string {
  const { t } = useTranslation();
  const { rate, percent } = useFormat();
  switch (verdict.says) {
    case 'unknown':
      return t('overview.unknown');
    case 'old':
      return t('overview.old');
    case 'databaseAway':
      return t('overview.databaseAway');
    case 'transportAway':
      return t('overview.transportAway');
    case 'late':
      return t('overview.late', { count: verdict.count, oldest: durationText(verdict.oldestMs) });
    case 'disabled':
      return t('overview.disabled', { count: verdict.count });
    case 'delivering':
    case 'failing':
      return t(`overview.${verdict.says}`, {
        rate: rate(verdict.perSecond),
        share: percent(verdict.share),
      });
    case 'idle':
      return t('overview.idle');
  }
}
