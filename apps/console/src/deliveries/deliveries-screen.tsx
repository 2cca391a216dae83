import { useTranslation } from 'react-i18next';
import type { Schemas } from '#client/api-call.js';
import { useApiList } from '../api/use-api.js';
import { useAddress } from '../layout/address.js';
import { FilterChips } from '../layout/filter-chips.js';
import { ProblemText } from '../layout/problem-text.js';
import { RowList } from '../layout/row-list.js';
import { ListAndPane, Screen } from '../layout/screen.js';
import { useDeliveryColumns } from './delivery-columns.js';
import { DeliveryPane } from './delivery-pane.js';

type State = Schemas['Delivery']['state'];
const STATES: readonly State[] = ['pending', 'delivered', 'dead', 'closed', 'canceled', 'suppressed'];
const EVERY_MS = 10_000;

export function DeliveriesScreen() {
  const { t } = useTranslation();
  const address = useAddress();
  const columns = useDeliveryColumns();
  const open = address.get('open');
  const deliveries = useApiList(
    '/v1/deliveries',
    {
      query: {
        state: address.list('state') as State[] | undefined,
        application: address.list('application'),
        endpoint: address.list('endpoint'),
        event: address.list('event'),
        type: address.list('type'),
        since: address.get('since'),
        until: address.get('until'),
      },
    },
    { everyMs: EVERY_MS },
  );
  return (
    <Screen title={t('rooms.deliveries')}>
      <FilterChips
        filters={[
          {
            name: 'state',
            label: t('deliveries.state'),
            choices: STATES,
            say: (one: State) => t(`deliveries.states.${one}`),
          },
          { name: 'application', label: t('deliveries.application') },
          { name: 'endpoint', label: t('deliveries.endpoint') },
          { name: 'event', label: t('deliveries.event') },
          { name: 'type', label: t('deliveries.type') },
          { name: 'since', label: t('layout.since') },
          { name: 'until', label: t('layout.until') },
        ]}
      />
      <ProblemText error={deliveries.error} />
      <ListAndPane
        list={
          <RowList
            label={t('rooms.deliveries')}
            items={deliveries.items}
            idOf={({ id }) => id}
            columns={columns}
            open={open}
            onOpen={(id) => address.set({ open: id })}
            isLoading={deliveries.isLoading}
            more={deliveries.hasNextPage ? () => void deliveries.fetchNextPage() : undefined}
          />
        }
        pane={open && <DeliveryPane id={open} />}
        onClose={() => address.set({ open: undefined })}
      />
    </Screen>
  );
}
