import { useTranslation } from 'react-i18next';
import type { Schemas } from '#client/api-call.js';
import { endingOf } from '../dead-letters/ending.js';
import { Badge } from '../layout/badge.js';
import { durationText } from '../layout/time.js';

/** How an attempt ended: what was answered, or in words why nothing was. */
export function AttemptSummary({ attempt }: { attempt: Schemas['Attempt'] | Schemas['TestAttempt'] }) {
  const { t } = useTranslation();
  const { outcome, httpStatus, error, responseSummary, durationMs, remoteAddress } = attempt;
  return (
    <div className="attempt-summary">
      <Badge tone={outcome === 'success' ? 'good' : 'bad'}>
        {endingOf(httpStatus, error?.code ?? null)} · {outcome}
      </Badge>
      <span>{durationText(durationMs)}</span>
      <span className="quiet">{remoteAddress ?? t('deliveries.notConnected')}</span>
      {error && <span>{error.message}</span>}
      {responseSummary !== '' && <q className="answer">{responseSummary}</q>}
    </div>
  );
}
