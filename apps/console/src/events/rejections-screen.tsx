import { useTranslation } from 'react-i18next';
import type { Schemas } from '#client/api-call.js';
import { useApiList } from '../api/use-api.js';
import { useAddress } from '../layout/address.js';
import { Facts } from '../layout/facts.js';
import { FilterChips } from '../layout/filter-chips.js';
import { ProblemText } from '../layout/problem-text.js';
import { type Column, RowList } from '../layout/row-list.js';
import { ListAndPane, Screen } from '../layout/screen.js';
import { Moment } from '../layout/time.js';

const EVERY_MS = 10_000;
type Rejection = Schemas['Rejection'];

/** Publishes that were refused, and what for. */
export function RejectionsScreen() {
  const { t } = useTranslation();
  const address = useAddress();
  const open = address.get('open');
  const rejections = useApiList(
    '/v1/rejections',
    {
      query: {
        application: address.list('application'),
        code: address.list('code') as never,
        type: address.list('type'),
        event: address.list('event'),
        via: address.list('via') as ('http' | 'kafka')[] | undefined,
      },
    },
    { everyMs: EVERY_MS },
  );
  const columns: Column<Rejection>[] = [
    { title: t('rejections.code'), share: 2.5, cell: ({ code }) => code },
    { title: t('deliveries.application'), share: 2, cell: ({ application }) => application ?? '–' },
    { title: t('rejections.detail'), share: 6, cell: ({ detail }) => detail },
    { title: t('rejections.via'), share: 1, onlyWide: true, cell: ({ via }) => via },
    { title: t('rejections.at'), share: 2.4, onlyWide: true, cell: ({ at }) => <Moment at={at} /> },
  ];
  const opened = rejections.items.find(({ id }) => id === open);
  return (
    <Screen title={t('rooms.rejections')}>
      <FilterChips
        filters={[
          { name: 'via', label: t('rejections.via'), choices: ['http', 'kafka'] },
          { name: 'code', label: t('rejections.code') },
          { name: 'application', label: t('deliveries.application') },
          { name: 'type', label: t('deliveries.type') },
          { name: 'event', label: t('deliveries.event') },
        ]}
      />
      <ProblemText error={rejections.error} />
      <ListAndPane
        list={
          <RowList
            label={t('rooms.rejections')}
            items={rejections.items}
            idOf={({ id }) => id}
            columns={columns}
            open={open}
            onOpen={(id) => address.set({ open: id })}
            isLoading={rejections.isLoading}
            more={rejections.hasNextPage ? () => void rejections.fetchNextPage() : undefined}
          />
        }
        pane={opened && <RejectionPane rejection={opened} />}
        onClose={() => address.set({ open: undefined })}
      />
    </Screen>
  );
}

function RejectionPane({ rejection }: { rejection: Rejection }) {
  const { t } = useTranslation();
  const { code, detail, application, type, event, via, origin, at } = rejection;
  return (
    <>
      <h2>{code}</h2>
      <p>{detail}</p>
      <Facts
        facts={[
          [t('rejections.at'), <Moment key="at" at={at} />],
          [t('deliveries.application'), application],
          [t('deliveries.type'), type],
          [t('deliveries.event'), event],
          [t('rejections.via'), via],
          [t('rejections.origin'), <code key="origin">{origin}</code>],
        ]}
      />
    </>
  );
}
