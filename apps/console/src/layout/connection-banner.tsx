import { useEffect } from 'react';
import { useTranslation } from 'react-i18next';
import { useConnection } from '../api/connection.js';
import { useReadiness } from '../api/use-readiness.js';
import { ageText, SECOND_MS, useNow } from './time.js';

/** Readiness is asked for every five seconds on every screen: without any answer for so long, none is as it seems. */
const SILENCE_MS = 12 * SECOND_MS;

/**
 * Says that nothing answers, or nothing that knows, and how old the figures are. Meanwhile nothing on the page is green
 * (colours.css).
 */
export function ConnectionBanner() {
  const { t } = useTranslation();
  const { answeredAtMs, lostSinceMs } = useConnection();
  const { data: readiness } = useReadiness();
  const ageMs = useNow() - (answeredAtMs ?? 0);
  const isLost = lostSinceMs !== null || (answeredAtMs !== null && ageMs > SILENCE_MS);
  const isStale = isLost || readiness === 'unready';
  useEffect(() => {
    document.documentElement.toggleAttribute('data-stale', isStale);
  }, [isStale]);
  if (!isStale) return null;
  return (
    <div role="alert" className="banner">
      {!isLost
        ? t('overview.databaseAway')
        : answeredAtMs === null
          ? t('layout.lost')
          : t('layout.lostAge', { age: ageText(ageMs) })}
    </div>
  );
}
