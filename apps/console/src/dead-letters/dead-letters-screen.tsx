import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Schemas } from '#client/api-call.js';
import { useApi, useApiList } from '../api/use-api.js';
import { DeliveryPane } from '../deliveries/delivery-pane.js';
import { useDeliveryColumns } from '../deliveries/delivery-columns.js';
import { placeOf, useAddress } from '../layout/address.js';
import { FilterChips } from '../layout/filter-chips.js';
import { ProblemText } from '../layout/problem-text.js';
import { RowList } from '../layout/row-list.js';
import { ListAndPane, Screen } from '../layout/screen.js';
import { Moment, useFormat } from '../layout/time.js';
import { useSession } from '../session/session.js';
import { endingOf } from './ending.js';

const EVERY_MS = 10_000;

/** What was given up: in groups for those who may repair, and one by one. */
export function DeadLettersScreen() {
  const { t } = useTranslation();
  const { may } = useSession();
  const address = useAddress();
  const columns = useDeliveryColumns();
  const open = address.get('open');
  const letters = useApiList(
    '/v1/dead-letters',
    {
      query: {
        state: address.list('state') as ('dead' | 'closed')[] | undefined,
        application: address.list('application'),
        endpoint: address.list('endpoint'),
        type: address.list('type'),
        since: address.get('since'),
        until: address.get('until'),
      },
    },
    { everyMs: EVERY_MS },
  );
  return (
    <Screen title={t('rooms.deadLetters')}>
      {may('groupDeadLetters') && <DeadLetterGroups />}
      <FilterChips
        filters={[
          {
            name: 'state',
            label: t('deliveries.state'),
            choices: ['dead', 'closed'],
            say: (one: 'dead' | 'closed') => t(`deliveries.states.${one}`),
          },
          { name: 'application', label: t('deliveries.application') },
          { name: 'endpoint', label: t('deliveries.endpoint') },
          { name: 'type', label: t('deliveries.type') },
          { name: 'since', label: t('layout.since') },
          { name: 'until', label: t('layout.until') },
        ]}
      />
      <ProblemText error={letters.error} />
      <ListAndPane
        list={
          <RowList
            label={t('rooms.deadLetters')}
            items={letters.items}
            idOf={({ id }) => id}
            columns={columns}
            open={open}
            onOpen={(id) => address.set({ open: id })}
            isLoading={letters.isLoading}
            more={letters.hasNextPage ? () => void letters.fetchNextPage() : undefined}
          />
        }
        pane={open && <DeliveryPane id={open} />}
        onClose={() => address.set({ open: undefined })}
      />
    </Screen>
  );
}

function DeadLetterGroups() {
  const { t } = useTranslation();
  const { number } = useFormat();
  const address = useAddress();
  const groups = useApi(
    '/v1/dead-letters/groups',
    { query: { application: address.list('application') } },
    { everyMs: EVERY_MS },
  );
  if (!groups.data || groups.data.items.length === 0) return null;
  const { counted, countsUpTo, items } = groups.data;
  return (
    <section aria-labelledby="groups" className="groups">
      <h2 id="groups">
        {t('deadLetters.groups', {
          number: counted >= countsUpTo ? `≥ ${number(counted)}` : number(counted),
        })}
      </h2>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('deliveries.application')}</th>
            <th scope="col">{t('deadLetters.ending')}</th>
            <th scope="col">{t('deadLetters.count')}</th>
            <th scope="col" className="only-wide">
              {t('layout.since')}
            </th>
            <th scope="col" className="only-wide">
              URL
            </th>
            <th scope="col">
              <span className="sr-only">{t('deadLetters.action')}</span>
            </th>
          </tr>
        </thead>
        <tbody>
          {items.map((group) => (
            <GroupRow key={`${group.endpoint} ${group.httpStatus} ${group.errorCode}`} group={group} />
          ))}
        </tbody>
      </table>
    </section>
  );
}

function GroupRow({ group }: { group: Schemas['DeadLetterGroups']['items'][number] }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  return (
    <tr>
      <td>{group.application}</td>
      <td>{endingOf(group.httpStatus, group.errorCode)}</td>
      <td>{number(group.count)}</td>
      <td className="only-wide">
        <Moment at={group.oldestFinishedAt} />
      </td>
      <td className="only-wide url">{group.url}</td>
      <td>
        <Link href={placeOf('/redeliver', { endpoint: group.endpoint })} className="action-link">
          {t('overview.redeliver')}
        </Link>
      </td>
    </tr>
  );
}
