import type { ReactNode } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '#client/api-call.js';
import { Sparkline } from '../layout/sparkline.js';
import { durationText, useFormat } from '../layout/time.js';
import { useSamples } from './samples.js';

/**
 * Four numbers. Attempts are drawn over the last hour, the others since the tab was opened: the API keeps no history of
 * them.
 */
export function Figures({ stats, isStale }: { stats: Schemas['Stats']; isStale: boolean }) {
  const { t } = useTranslation();
  const { number, rate } = useFormat();
  const seen = useSamples(stats);
  const { due, scheduled, oldestDueAt } = stats.backlog;
  const whole = stats.minutes.slice(0, -1);
  const last = whole.at(-1) ?? { succeeded: 0, failed: 0 };
  const owedMs = oldestDueAt === null ? 0 : Math.max(0, Date.parse(stats.at) - Date.parse(oldestDueAt));
  const count = (value: number) => (value >= stats.countsUpTo ? `≥ ${number(value)}` : number(value));
  return (
    <section className={isStale ? 'figures stale' : 'figures'} aria-label={t('overview.figures')}>
      <Figure
        name={t('overview.accepted')}
        value={rate(seen.at(-1)?.acceptedPerSecond ?? 0)}
        over={t('overview.inThisTab')}
      >
        <Sparkline
          values={seen.map((sample) => sample.acceptedPerSecond)}
          label={t('overview.acceptedLine')}
        />
      </Figure>
      <Figure
        name={t('overview.delivered')}
        value={rate(last.succeeded / 60)}
        over={t('overview.lastHour', { failed: rate(last.failed / 60) })}
      >
        <Sparkline
          values={whole.map(({ succeeded }) => succeeded / 60)}
          label={t('overview.deliveredLine')}
        />
      </Figure>
      <Figure
        name={t('overview.lag')}
        value={oldestDueAt === null ? '0 s' : durationText(owedMs)}
        over={t('overview.inThisTab')}
      >
        <Sparkline values={seen.map((sample) => sample.owedMs)} label={t('overview.lagLine')} />
      </Figure>
      <Figure
        name={t('overview.waiting')}
        value={t('overview.waitingValue', { due: count(due), scheduled: count(scheduled) })}
        over={t('overview.inThisTab')}
      >
        <Sparkline values={seen.map((sample) => sample.waiting)} label={t('overview.waitingLine')} />
      </Figure>
    </section>
  );
}

function Figure({
  name,
  value,
  over,
  children,
}: {
  name: string;
  value: string;
  over: string;
  children: ReactNode;
}) {
  return (
    <div className="figure">
      <h2>{name}</h2>
      <strong>{value}</strong>
      {children}
      <span className="quiet">{over}</span>
    </div>
  );
}
