import { useTranslation } from 'react-i18next';
import type { Schemas } from '#client/api-call.js';
import { useApiList } from '../api/use-api.js';
import { placeOf, useAddress } from '../layout/address.js';
import { Facts } from '../layout/facts.js';
import { ProblemText } from '../layout/problem-text.js';
import { type Column, RowList } from '../layout/row-list.js';
import { ListAndPane, Screen } from '../layout/screen.js';
import { Moment } from '../layout/time.js';
import { Link } from 'wouter';

type Key = Schemas['ApiKey'];

/** Whose keys there are and what for; they are made and deleted over the API. */
export function KeysScreen() {
  const { t } = useTranslation();
  const address = useAddress();
  const open = address.get('open');
  const keys = useApiList('/v1/api-keys', {});
  const columns: Column<Key>[] = [
    { title: t('keys.name'), share: 3, cell: ({ name }) => name },
    { title: t('keys.role'), share: 2, cell: ({ role }) => role },
    {
      title: t('keys.applications'),
      share: 3,
      cell: ({ applications }) => applications?.join(', ') ?? t('keys.all'),
    },
    {
      title: t('keys.expires'),
      share: 2.4,
      onlyWide: true,
      cell: ({ expiresAt }) => <Moment at={expiresAt} />,
    },
  ];
  const opened = keys.items.find(({ id }) => id === open);
  return (
    <Screen title={t('rooms.keys')}>
      <ProblemText error={keys.error} />
      <ListAndPane
        list={
          <RowList
            label={t('rooms.keys')}
            items={keys.items}
            idOf={({ id }) => id}
            columns={columns}
            open={open}
            onOpen={(id) => address.set({ open: id })}
            isLoading={keys.isLoading}
            more={keys.hasNextPage ? () => void keys.fetchNextPage() : undefined}
          />
        }
        pane={
          opened && (
            <>
              <h2>{opened.name}</h2>
              <Facts
                facts={[
                  ['Id', <code key="id">{opened.id}</code>],
                  [t('keys.role'), opened.role],
                  [t('keys.applications'), opened.applications?.join(', ') ?? t('keys.all')],
                  [t('keys.created'), <Moment key="created" at={opened.createdAt} />],
                  [t('keys.expires'), <Moment key="expires" at={opened.expiresAt} />],
                ]}
              />
              <Link href={placeOf('/audit', { actor: opened.id })} className="action-link">
                {t('keys.did')}
              </Link>
            </>
          )
        }
        onClose={() => address.set({ open: undefined })}
      />
    </Screen>
  );
}
