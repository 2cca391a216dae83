import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Schemas } from '#client/api-call.js';
import { useApi, useApiList } from '../api/use-api.js';
import { endingOf } from '../dead-letters/ending.js';
import { placeOf, useAddress } from '../layout/address.js';
import { Badge } from '../layout/badge.js';
import { Facts } from '../layout/facts.js';
import { FilterChips } from '../layout/filter-chips.js';
import { ProblemText } from '../layout/problem-text.js';
import { type Column, RowList } from '../layout/row-list.js';
import { ListAndPane, Screen } from '../layout/screen.js';
import { Moment, useFormat } from '../layout/time.js';
import { toneOfDelivery } from '../layout/tone.js';

const EVERY_MS = 10_000;

export function EventsScreen() {
  const { t } = useTranslation();
  const { number } = useFormat();
  const address = useAddress();
  const open = address.get('open');
  const events = useApiList(
    '/v1/events',
    {
      query: {
        application: address.list('application'),
        type: address.list('type'),
        id: address.list('id'),
        since: address.get('since'),
        until: address.get('until'),
      },
    },
    { everyMs: EVERY_MS },
  );
  const columns: Column<Schemas['Event']>[] = [
    { title: t('deliveries.event'), share: 4, cell: ({ id }) => id },
    { title: t('deliveries.application'), share: 2, cell: ({ application }) => application },
    { title: t('deliveries.type'), share: 3, onlyWide: true, cell: ({ type }) => type },
    { title: t('events.deliveries'), share: 1.4, cell: ({ deliveryCount }) => number(deliveryCount) },
    {
      title: t('events.suppressed'),
      share: 1.4,
      onlyWide: true,
      cell: ({ suppressedCount }) => number(suppressedCount),
    },
    { title: t('events.accepted'), share: 2.4, cell: ({ acceptedAt }) => <Moment at={acceptedAt} /> },
  ];
  const [application, ...event] = open?.split('/') ?? [];
  return (
    <Screen title={t('rooms.events')}>
      <FilterChips
        filters={[
          { name: 'id', label: t('deliveries.event') },
          { name: 'application', label: t('deliveries.application') },
          { name: 'type', label: t('deliveries.type') },
          { name: 'since', label: t('layout.since') },
          { name: 'until', label: t('layout.until') },
        ]}
      />
      <ProblemText error={events.error} />
      <ListAndPane
        list={
          <RowList
            label={t('rooms.events')}
            items={events.items}
            idOf={(item) => `${item.application}/${item.id}`}
            columns={columns}
            open={open}
            onOpen={(id) => address.set({ open: id })}
            isLoading={events.isLoading}
            more={events.hasNextPage ? () => void events.fetchNextPage() : undefined}
          />
        }
        pane={
          application && event.length > 0 && <EventPane application={application} event={event.join('/')} />
        }
        onClose={() => address.set({ open: undefined })}
      />
    </Screen>
  );
}

function EventPane({ application, event }: { application: string; event: string }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { data: whole, error } = useApi('/v1/applications/{application}/events/{event}', {
    path: { application, event },
  });
  if (!whole) return <ProblemText error={error} />;
  return (
    <>
      <h2>
        {t('events.one')} <code>{event}</code>
      </h2>
      <Facts
        facts={[
          [t('deliveries.application'), application],
          [t('deliveries.type'), whole.type],
          [t('events.occurred'), <Moment key="occurred" at={whole.occurredAt} />],
          [t('events.accepted'), <Moment key="accepted" at={whole.acceptedAt} />],
          [t('events.bytes'), whole.bodyBytes === null ? null : number(whole.bodyBytes)],
          ['SHA-256', whole.bodySha256 && <code key="sha">{whole.bodySha256}</code>],
        ]}
      />
      <h3>{t('events.deliveries')}</h3>
      <ul className="plain">
        {whole.deliveries.map(({ id, state, endpoint, lastHttpStatus, lastError }) => (
          <li key={id}>
            <Badge tone={toneOfDelivery(state)}>{t(`deliveries.states.${state}`)}</Badge>{' '}
            <Link href={placeOf('/deliveries', { event, application, open: id })}>{id}</Link>{' '}
            <span className="quiet">
              {t('deliveries.endpoint')} {endpoint} · {endingOf(lastHttpStatus, lastError?.code ?? null)}
            </span>
          </li>
        ))}
      </ul>
      <h3>{t('deliveries.body')}</h3>
      <pre className="body" tabIndex={0} aria-label={t('deliveries.body')}>
        {whole.body ?? t('deliveries.noBody')}
      </pre>
    </>
  );
}
