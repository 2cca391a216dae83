import { useTranslation } from 'react-i18next';
import type { Schemas } from '#client/api-call.js';
import { useApi, useApiList } from '../api/use-api.js';
import { endingOf } from '../dead-letters/ending.js';
import { useAddress } from '../layout/address.js';
import { Badge } from '../layout/badge.js';
import { FilterChips } from '../layout/filter-chips.js';
import { ProblemText } from '../layout/problem-text.js';
import { type Column, RowList } from '../layout/row-list.js';
import { ListAndPane, Screen } from '../layout/screen.js';
import { durationText, useFormat } from '../layout/time.js';
import { toneOfEndpoint } from '../layout/tone.js';
import { useSession } from '../session/session.js';
import { EndpointPane } from './endpoint-pane.js';

const EVERY_MS = 10_000;
type State = Schemas['Endpoint']['state'];
type Order = 'failures' | 'lag' | 'volume';
const ORDERS: readonly Order[] = ['failures', 'lag', 'volume'];

/** What both lists tell of an endpoint. */
type Listed = Pick<Schemas['Endpoint'], 'id' | 'application' | 'url' | 'state'> & {
  readonly pending: number;
  readonly share: number | null;
  readonly averageMs: number | null;
  readonly last: string | null;
};

/** The endpoints of an application; without one, those that stand out over all. */
export function EndpointsScreen() {
  const { t } = useTranslation();
  const { may } = useSession();
  const { number, percent } = useFormat();
  const address = useAddress();
  const open = address.get('open');
  const application = address.get('application');
  const order = ORDERS.find((one) => one === address.get('order')) ?? 'volume';
  const state = address.list('state') as State[] | undefined;
  const ofOne = useApiList(
    '/v1/applications/{application}/endpoints',
    { path: { application: application ?? '' }, query: { state } },
    { everyMs: EVERY_MS, enabled: application !== undefined },
  );
  const ranking = useApi(
    '/v1/stats',
    { query: { by: 'endpoint', order, window: '24h', limit: 200 } },
    { everyMs: EVERY_MS, enabled: application === undefined && may('readStats') },
  );
  const items: Listed[] =
    application === undefined
      ? ((ranking.data as Schemas['EndpointRanking'] | undefined)?.items ?? []).map((item) => ({
          ...item,
          share: item.successShare,
          averageMs: item.averageDurationMs,
          last: endingOf(item.lastHttpStatus, item.lastError?.code ?? null),
        }))
      : ofOne.items.map((item) => ({
          ...item,
          pending: item.stats.pending,
          ...{ share: null, averageMs: null, last: null },
        }));
  const columns: Column<Listed>[] = [
    {
      title: t('endpoints.state'),
      share: 1.6,
      cell: (item) => <Badge tone={toneOfEndpoint(item.state)}>{t(`endpoints.states.${item.state}`)}</Badge>,
    },
    { title: t('deliveries.application'), share: 2, cell: (item) => item.application },
    { title: 'URL', share: 5, cell: (item) => item.url },
    { title: t('endpoints.pending'), share: 1.2, cell: ({ pending }) => number(pending) },
    {
      title: t('endpoints.success'),
      share: 1.4,
      onlyWide: true,
      cell: ({ share }) => (share === null ? '–' : percent(share)),
    },
    {
      title: t('endpoints.duration'),
      share: 1.4,
      onlyWide: true,
      cell: ({ averageMs }) => (averageMs === null ? '–' : durationText(averageMs)),
    },
    { title: t('deliveries.last'), share: 1.6, onlyWide: true, cell: ({ last }) => last ?? '–' },
  ];
  return (
    <Screen title={t('rooms.endpoints')}>
      <FilterChips
        filters={[
          application === undefined
            ? {
                name: 'order',
                label: t('endpoints.order'),
                choices: ORDERS,
                otherwise: 'volume',
                say: (one: Order) => t(`endpoints.orders.${one}`),
              }
            : {
                name: 'state',
                label: t('endpoints.state'),
                choices: ['active', 'paused', 'disabled', 'revoked'],
                say: (one: State) => t(`endpoints.states.${one}`),
              },
          { name: 'application', label: t('deliveries.application') },
        ]}
      />
      {application === undefined && (
        <p className="quiet">
          {may('readStats') ? t('endpoints.standOut') : t('endpoints.chooseApplication')}
        </p>
      )}
      <ProblemText error={application === undefined ? ranking.error : ofOne.error} />
      <ListAndPane
        list={
          <RowList
            label={t('rooms.endpoints')}
            items={items}
            idOf={({ id }) => id}
            columns={columns}
            open={open}
            onOpen={(id) => address.set({ open: id })}
            isLoading={ranking.isLoading || ofOne.isLoading}
            more={
              application !== undefined && ofOne.hasNextPage ? () => void ofOne.fetchNextPage() : undefined
            }
          />
        }
        pane={open && <EndpointPane id={open} />}
        onClose={() => address.set({ open: undefined })}
      />
    </Screen>
  );
}
