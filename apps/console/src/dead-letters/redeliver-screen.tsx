import { Button, Checkbox, NumberInput, TextInput } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '#client/api-call.js';
import { useApi } from '../api/use-api.js';
import { shownCall, useSend } from '../api/use-send.js';
import { useAddress } from '../layout/address.js';
import { CallText } from '../layout/call-text.js';
import { Facts } from '../layout/facts.js';
import { FilterChips } from '../layout/filter-chips.js';
import { ActionProblem, ProblemText } from '../layout/problem-text.js';
import { Screen } from '../layout/screen.js';
import { DAY_MS, durationText, Moment, useFormat, useNow } from '../layout/time.js';
import { watchReplay } from '../replays/watched-replays.js';
import { useClient } from '../session/session.js';
import { endingOf } from './ending.js';
import { type RedeliveryChoice, redeliveryOf } from './redelivery.js';
import { suggestedRate } from './suggested-rate.js';
import { TryOne } from './try-one.js';
import { usePreview } from './use-preview.js';

/** Above it the count is typed before anything is sent. */
const TYPED_ABOVE = 1_000;
/** What leaves retention within it is told of. */
const LEAVES_SOON_MS = 2 * DAY_MS;
/** What most contracts have; known exactly once application and contract are read. */
const USUAL_CONCURRENCY = 10;

/** Sends dead letters again: what, one first, how fast, and then all. */
export function RedeliverScreen() {
  const { t } = useTranslation();
  const { number } = useFormat();
  const address = useAddress();
  const client = useClient();
  const send = useSend();
  const [rate, setRate] = useState<number | null>(null);
  const [typed, setTyped] = useState('');
  const [trialSucceeded, setTrialSucceeded] = useState<boolean | null>(null);

  const choice: RedeliveryChoice = {
    application: address.get('application'),
    endpoint: address.get('endpoint'),
    type: address.get('type'),
    since: address.get('since'),
    until: address.get('until'),
    delivered: address.get('delivered') === 'yes',
  };
  const groups = useApi(
    '/v1/dead-letters/groups',
    {
      query: {
        endpoint: choice.endpoint,
        ...(choice.application !== undefined && { application: [choice.application] }),
      },
    },
    { everyMs: 10_000 },
  );
  const known = useEndpointFacts(choice.endpoint);
  const ratePerSecond = rate ?? known.rate;
  const counted = redeliveryOf(choice);
  const redelivery = redeliveryOf(choice, ratePerSecond);
  const preview = usePreview(counted);
  const matched = preview.data?.matched ?? null;
  const to = known.application ?? choice.application ?? t('deadLetters.several');

  const start = useMutation({
    mutationFn: async () => {
      const { endpoint, application } = choice;
      // From before the first attempt of it, so that none is missed.
      const { nextCursor } = await client.get('/v1/attempts', { query: { limit: 1 } });
      const replay = (await send(redelivery!.path, redelivery!.input as never)) as Schemas['Replay'];
      watchReplay({
        ...{ id: replay.id, endpoint, application, to, stoppedAfterFailures: false },
        tally: { after: nextCursor, standings: {}, failuresInARow: 0 },
      });
      setTyped('');
    },
  });

  const mustType = matched !== null && matched > TYPED_ABOVE;
  const isTyped = !mustType || typed.replaceAll(/\D/g, '') === String(matched);
  const includeDelivered = (checked: boolean) =>
    address.set({
      delivered: checked ? 'yes' : undefined,
      ...(checked &&
        !choice.since && {
          since: oldestAccepted(groups.data) ?? new Date(Date.now() - DAY_MS).toISOString(),
        }),
    });
  return (
    <Screen title={t('deadLetters.redeliverTo', { to })}>
      <FilterChips
        filters={[
          { name: 'endpoint', label: t('deliveries.endpoint') },
          { name: 'application', label: t('deliveries.application') },
          { name: 'type', label: t('deliveries.type') },
          { name: 'since', label: t('layout.since') },
          { name: 'until', label: t('layout.until') },
        ]}
      />
      {counted === null && <p className="tone-warn">{t('deadLetters.filterFirst')}</p>}
      <ProblemText error={preview.error} />

      <section className="card" aria-labelledby="step-1">
        <h2 id="step-1">1. {t('deadLetters.what')}</h2>
        <Facts
          facts={[
            [
              t('deadLetters.count'),
              <output key="count" aria-label={t('deadLetters.count')} className="big">
                {matched === null ? '…' : number(matched)}
              </output>,
            ],
            [t('deadLetters.oldest'), <Moment key="oldest" at={preview.data?.oldest ?? null} />],
            [t('deadLetters.newest'), <Moment key="newest" at={preview.data?.newest ?? null} />],
            [t('deadLetters.endings'), endingsText(groups.data, number)],
            ...(known.url === null ? [] : [['URL', known.url] as const]),
          ]}
        />
        <RetentionWarning groups={groups.data} />
        {choice.endpoint !== undefined && (
          <Checkbox
            label={t('deadLetters.alsoDelivered')}
            description={t('deadLetters.twice')}
            checked={choice.delivered}
            onChange={(event) => includeDelivered(event.currentTarget.checked)}
          />
        )}
      </section>

      <section className="card" aria-labelledby="step-2">
        <h2 id="step-2">2. {t('deadLetters.tryOneTitle')}</h2>
        <TryOne
          choice={choice}
          oldest={choice.delivered ? null : (preview.data?.oldest ?? null)}
          onTried={setTrialSucceeded}
        />
        {trialSucceeded === false && <p className="tone-warn">{t('deadLetters.triedBadly')}</p>}
      </section>

      <section className="card" aria-labelledby="step-3">
        <h2 id="step-3">3. {t('deadLetters.all')}</h2>
        <NumberInput
          label={t('deadLetters.rate')}
          description={known.rateReason ?? t('deadLetters.rateUnknown')}
          size="xs"
          min={1}
          max={10_000}
          allowDecimal={false}
          value={ratePerSecond}
          onChange={(value) => setRate(typeof value === 'number' ? value : null)}
        />
        {mustType && (
          <TextInput
            label={t('deadLetters.typeCount', { number: matched })}
            size="xs"
            inputMode="numeric"
            value={typed}
            onChange={(event) => setTyped(event.currentTarget.value)}
          />
        )}
        {redelivery && <CallText call={shownCall(redelivery.path, redelivery.input)} />}
        <ActionProblem error={start.error} />
        <div className="actions">
          <Button
            disabled={!matched || !isTyped || redelivery === null}
            loading={start.isPending}
            onClick={() => start.mutate()}
          >
            {t('deadLetters.redeliverAll', { number: matched === null ? '…' : number(matched) })}
          </Button>
          {matched !== null && matched > 0 && (
            <span className="quiet">
              {t('deadLetters.takes', { time: durationText((matched / ratePerSecond) * 1_000) })}
            </span>
          )}
        </div>
      </section>
    </Screen>
  );
}

/** Of the one endpoint that is sent to: whose it is, and how fast it usually takes deliveries. */
function useEndpointFacts(id: string | undefined) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const endpoint = useApi('/v1/endpoints/{id}', { path: { id: id ?? '' } }, { enabled: id !== undefined });
  const application = endpoint.data?.application;
  const owner = useApi(
    '/v1/applications/{id}',
    { path: { id: application ?? '' } },
    { enabled: application !== undefined },
  );
  const contract = useApi(
    '/v1/contracts/{name}',
    { path: { name: owner.data?.contract ?? '' } },
    { enabled: owner.data !== undefined },
  );
  const ranking = useApi(
    '/v1/stats',
    {
      query: {
        by: 'endpoint',
        order: 'volume',
        window: '24h',
        limit: 200,
        application: application ? [application] : [],
      },
    },
    { enabled: application !== undefined },
  );
  const items = (ranking.data as Schemas['EndpointRanking'] | undefined)?.items;
  const averageMs = items?.find((item) => item.id === id)?.averageDurationMs ?? null;
  const concurrency =
    owner.data?.settings.concurrencyPerWorker ??
    contract.data?.defaults.concurrencyPerWorker ??
    USUAL_CONCURRENCY;
  return {
    application,
    url: endpoint.data?.url ?? null,
    rate: suggestedRate(concurrency, averageMs),
    rateReason:
      averageMs === null
        ? null
        : t('deadLetters.rateReason', { concurrency, duration: `${number(averageMs)} ms` }),
  };
}

function RetentionWarning({ groups }: { groups: Schemas['DeadLetterGroups'] | undefined }) {
  const { t } = useTranslation();
  const now = useNow(60_000);
  const accepted = oldestAccepted(groups);
  if (!groups || accepted === undefined) return null;
  const leftMs = Date.parse(accepted) + groups.retentionDays * DAY_MS - now;
  if (leftMs > LEAVES_SOON_MS) {
    return <p className="quiet">{t('deadLetters.leavesLater', { time: durationText(leftMs) })}</p>;
  }
  return (
    <p className="tone-warn">{t('deadLetters.leavesSoon', { time: durationText(Math.max(0, leftMs)) })}</p>
  );
}

function oldestAccepted(groups: Schemas['DeadLetterGroups'] | undefined): string | undefined {
  return groups?.items.map(({ oldestAcceptedAt }) => oldestAcceptedAt).sort()[0];
}

function endingsText(
  groups: Schemas['DeadLetterGroups'] | undefined,
  number: (value: number) => string,
): string {
  return (groups?.items ?? [])
    .map(({ httpStatus, errorCode, count }) => `${endingOf(httpStatus, errorCode)} × ${number(count)}`)
    .join(', ');
}
