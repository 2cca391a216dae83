import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Schemas } from '#client/api-call.js';
import { useApi, useApiList } from '../api/use-api.js';
import { shownCall, useSend } from '../api/use-send.js';
import { ActionButton } from '../layout/action-button.js';
import { placeOf } from '../layout/address.js';
import { Badge } from '../layout/badge.js';
import { Facts } from '../layout/facts.js';
import { ProblemText } from '../layout/problem-text.js';
import { durationText, Moment, useNow } from '../layout/time.js';
import { toneOfDelivery } from '../layout/tone.js';
import { useSession } from '../session/session.js';
import { AttemptExchange } from './attempt-exchange.js';
import { AttemptSummary } from './attempt-summary.js';

const EVERY_MS = 2_000;

/** A delivery: what it is, what can be done about it, and its attempts by cycle. */
export function DeliveryPane({ id }: { id: string }) {
  const { t } = useTranslation();
  const { may } = useSession();
  const send = useSend();
  const { data: delivery, error } = useApi('/v1/deliveries/{id}', { path: { id } }, { everyMs: EVERY_MS });
  const attempts = useApiList('/v1/deliveries/{id}/attempts', { path: { id } }, { everyMs: EVERY_MS });
  if (!delivery) return <ProblemText error={error} />;
  const { state, application, event, endpoint, type } = delivery;
  const input = { path: { id } };
  return (
    <>
      <h2>
        {t('deliveries.one')} <code>{id}</code>
      </h2>
      <div className="actions">
        <Badge tone={toneOfDelivery(state)}>{t(`deliveries.states.${state}`)}</Badge>
        {may('redeliver') && (
          <ActionButton
            label={t('deliveries.redeliver')}
            call={shownCall('/v1/deliveries/{id}/redeliver', input)}
            run={() => send('/v1/deliveries/{id}/redeliver', input)}
            {...(state === 'delivered' && { question: t('deadLetters.twice') })}
          />
        )}
        {may('cancelDelivery') && state === 'pending' && (
          <ActionButton
            label={t('deliveries.cancel')}
            call={shownCall('/v1/deliveries/{id}/cancel', input)}
            run={() => send('/v1/deliveries/{id}/cancel', input)}
            question={t('deliveries.cancelQuestion')}
          />
        )}
      </div>
      {delivery.nextAttemptAt !== null && <Countdown at={delivery.nextAttemptAt} />}
      <Facts
        facts={[
          [
            t('deliveries.event'),
            event && <Link href={placeOf('/events', { open: `${application}/${event}` })}>{event}</Link>,
          ],
          [t('deliveries.application'), application],
          [
            t('deliveries.endpoint'),
            may('getEndpoint') ? (
              <Link href={placeOf('/endpoints', { open: endpoint })}>{endpoint}</Link>
            ) : (
              endpoint
            ),
          ],
          [t('deliveries.type'), type],
          [t('deliveries.created'), <Moment key="created" at={delivery.createdAt} />],
          [
            t('deliveries.finished'),
            <Moment key="finished" at={delivery.finishedAt ?? delivery.deliveredAt} />,
          ],
        ]}
      />
      <Timeline delivery={delivery} attempts={attempts.items} />
    </>
  );
}

function Countdown({ at }: { at: string }) {
  const { t } = useTranslation();
  const leftMs = Date.parse(at) - useNow();
  return (
    <p role="timer" className="countdown">
      {leftMs > 0 ? t('deliveries.nextIn', { time: durationText(leftMs) }) : t('deliveries.nextNow')}{' '}
      <Moment at={at} />
    </p>
  );
}

function Timeline({
  delivery,
  attempts,
}: {
  delivery: Schemas['Delivery'];
  attempts: readonly Schemas['Attempt'][];
}) {
  const { t } = useTranslation();
  const cycles = [...new Set(attempts.map(({ cycle }) => cycle))];
  return (
    <section aria-label={t('deliveries.timeline')} className="timeline">
      {cycles.map((cycle) => (
        <div key={cycle}>
          <h3>{t('deliveries.cycle', { number: cycle })}</h3>
          <ol>
            {attempts
              .filter((attempt) => attempt.cycle === cycle)
              .map((attempt) => (
                <AttemptItem
                  key={`${attempt.number} ${attempt.startedAt}`}
                  delivery={delivery}
                  attempt={attempt}
                />
              ))}
          </ol>
        </div>
      ))}
      {attempts.length === 0 && <p className="quiet">{t('deliveries.noAttempt')}</p>}
    </section>
  );
}

function AttemptItem({ delivery, attempt }: { delivery: Schemas['Delivery']; attempt: Schemas['Attempt'] }) {
  const { t } = useTranslation();
  const [isOpen, setOpen] = useState(false);
  const { number, trigger, startedAt, superseded, nextAttemptAt } = attempt;
  return (
    <li className={attempt.outcome === 'success' ? 'attempt-good' : 'attempt-bad'}>
      <button type="button" className="attempt-head" aria-expanded={isOpen} onClick={() => setOpen(!isOpen)}>
        <strong>{t('deliveries.attempt', { number })}</strong> {t(`deliveries.triggers.${trigger}`)} ·{' '}
        <Moment at={startedAt} />
      </button>
      <AttemptSummary attempt={attempt} />
      {superseded && <p className="quiet">{t('deliveries.superseded')}</p>}
      {nextAttemptAt && (
        <p className="quiet">
          {t('deliveries.then')} <Moment at={nextAttemptAt} />
        </p>
      )}
      {isOpen && <AttemptExchange delivery={delivery} number={number} />}
    </li>
  );
}
