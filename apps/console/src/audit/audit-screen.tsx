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

type Entry = Schemas['AuditEntry'];
const EVERY_MS = 10_000;

/** Who did what. */
export function AuditScreen() {
  const { t } = useTranslation();
  const address = useAddress();
  const open = address.get('open');
  const entries = useApiList(
    '/v1/audit',
    {
      query: {
        application: address.list('application'),
        actor: address.list('actor'),
        action: address.list('action') as Entry['action'][] | undefined,
        resource: address.list('resource'),
        since: address.get('since'),
        until: address.get('until'),
      },
    },
    { everyMs: EVERY_MS },
  );
  const columns: Column<Entry>[] = [
    { title: t('audit.at'), share: 2.4, cell: ({ at }) => <Moment at={at} /> },
    { title: t('audit.actor'), share: 2, cell: ({ actor }) => actor.name },
    { title: t('audit.action'), share: 3, cell: ({ action }) => action },
    {
      title: t('audit.resource'),
      share: 3,
      onlyWide: true,
      cell: ({ resource }) => `${resource.kind} ${resource.id ?? ''}`,
    },
    {
      title: t('deliveries.application'),
      share: 2,
      onlyWide: true,
      cell: ({ application }) => application ?? '–',
    },
  ];
  const opened = entries.items.find(({ id }) => id === open);
  return (
    <Screen title={t('rooms.audit')}>
      <FilterChips
        filters={[
          { name: 'resource', label: t('audit.resource') },
          { name: 'action', label: t('audit.action') },
          { name: 'actor', label: t('audit.actorKey') },
          { name: 'application', label: t('deliveries.application') },
          { name: 'since', label: t('layout.since') },
          { name: 'until', label: t('layout.until') },
        ]}
      />
      <ProblemText error={entries.error} />
      <ListAndPane
        list={
          <RowList
            label={t('rooms.audit')}
            items={entries.items}
            idOf={({ id }) => id}
            columns={columns}
            open={open}
            onOpen={(id) => address.set({ open: id })}
            isLoading={entries.isLoading}
            more={entries.hasNextPage ? () => void entries.fetchNextPage() : undefined}
          />
        }
        pane={opened && <EntryPane entry={opened} />}
        onClose={() => address.set({ open: undefined })}
      />
    </Screen>
  );
}

function EntryPane({ entry }: { entry: Entry }) {
  const { t } = useTranslation();
  const { action, actor, at, resource, application, requestId, changes } = entry;
  return (
    <>
      <h2>{action}</h2>
      <Facts
        facts={[
          [t('audit.at'), <Moment key="at" at={at} />],
          [t('audit.actor'), actor.name],
          [t('audit.actorKey'), <code key="key">{actor.key}</code>],
          [t('audit.resource'), `${resource.kind} ${resource.id ?? ''}`],
          [t('deliveries.application'), application],
          ['X-Request-Id', <code key="request">{requestId}</code>],
        ]}
      />
      <h3>{t('audit.changes')}</h3>
      <pre className="body" tabIndex={0} aria-label={t('audit.changes')}>
        {JSON.stringify(changes, null, 2)}
      </pre>
    </>
  );
}
