import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Schemas } from '#client/api-call.js';
import { useApi, useApiList } from '../api/use-api.js';
import { EndpointSettings } from '../endpoints/endpoint-settings.js';
import { placeOf, useAddress } from '../layout/address.js';
import { Facts } from '../layout/facts.js';
import { FilterChips } from '../layout/filter-chips.js';
import { ProblemText } from '../layout/problem-text.js';
import { type Column, RowList } from '../layout/row-list.js';
import { ListAndPane, Screen } from '../layout/screen.js';
import { Moment } from '../layout/time.js';
import { useSession } from '../session/session.js';

type Application = Schemas['Application'];

export function ApplicationsScreen() {
  const { t } = useTranslation();
  const address = useAddress();
  const open = address.get('open');
  const applications = useApiList('/v1/applications', {
    query: { contract: address.list('contract'), environment: address.list('environment') },
  });
  const columns: Column<Application>[] = [
    { title: 'Id', share: 2, cell: ({ id }) => id },
    { title: t('applications.name'), share: 3, cell: ({ name }) => name },
    { title: t('applications.contract'), share: 2, cell: ({ contract }) => contract },
    {
      title: t('applications.environment'),
      share: 2,
      onlyWide: true,
      cell: ({ environment }) => environment,
    },
    {
      title: t('applications.created'),
      share: 2.4,
      onlyWide: true,
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
  ];
  return (
    <Screen title={t('rooms.applications')}>
      <FilterChips
        filters={[
          { name: 'contract', label: t('applications.contract') },
          { name: 'environment', label: t('applications.environment') },
        ]}
      />
      <ProblemText error={applications.error} />
      <ListAndPane
        list={
          <RowList
            label={t('rooms.applications')}
            items={applications.items}
            idOf={({ id }) => id}
            columns={columns}
            open={open}
            onOpen={(id) => address.set({ open: id })}
            isLoading={applications.isLoading}
            more={applications.hasNextPage ? () => void applications.fetchNextPage() : undefined}
          />
        }
        pane={open && <ApplicationPane id={open} />}
        onClose={() => address.set({ open: undefined })}
      />
    </Screen>
  );
}

function ApplicationPane({ id }: { id: string }) {
  const { t } = useTranslation();
  const { may } = useSession();
  const { data: application, error } = useApi('/v1/applications/{id}', { path: { id } });
  if (!application) return <ProblemText error={error} />;
  const rooms = [
    ['/endpoints', 'endpoints', 'getEndpoint'],
    ['/deliveries', 'deliveries', 'listDeliveries'],
    ['/dead-letters', 'deadLetters', 'listDeliveries'],
    ['/events', 'events', 'listEvents'],
    ['/audit', 'audit', 'listAudit'],
  ] as const;
  return (
    <>
      <h2>{application.name}</h2>
      <Facts
        facts={[
          ['Id', <code key="id">{id}</code>],
          [t('applications.contract'), application.contract],
          [t('applications.environment'), application.environment],
          [
            t('applications.secret'),
            application.secret === null ? t('applications.noSecret') : t('endpoints.set'),
          ],
          ...Object.entries(application.attributes).map(([name, value]) => [name, String(value)] as const),
          [t('applications.created'), <Moment key="created" at={application.createdAt} />],
        ]}
      />
      <p className="actions">
        {rooms
          .filter(([, , needs]) => may(needs))
          .map(([path, name]) => (
            <Link key={path} href={placeOf(path, { application: id })} className="action-link">
              {t(`rooms.${name}`)}
            </Link>
          ))}
      </p>
      <EndpointSettings application={id} />
    </>
  );
}
