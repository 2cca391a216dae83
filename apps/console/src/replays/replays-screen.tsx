import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Schemas } from '#client/api-call.js';
import { useApi, useApiList } from '../api/use-api.js';
import { shownCall, useSend } from '../api/use-send.js';
import { ActionButton } from '../layout/action-button.js';
import { placeOf, useAddress } from '../layout/address.js';
import { Badge } from '../layout/badge.js';
import { Facts } from '../layout/facts.js';
import { ProblemText } from '../layout/problem-text.js';
import { type Column, RowList } from '../layout/row-list.js';
import { ListAndPane, Screen } from '../layout/screen.js';
import { Moment, useFormat } from '../layout/time.js';
import { toneOfReplay } from '../layout/tone.js';
import { useSession } from '../session/session.js';

type Replay = Schemas['Replay'];
const EVERY_MS = 3_000;

export function ReplaysScreen() {
  const { t } = useTranslation();
  const { number } = useFormat();
  const address = useAddress();
  const open = address.get('open');
  const replays = useApiList('/v1/replays', {}, { everyMs: EVERY_MS });
  const columns: Column<Replay>[] = [
    {
      title: t('deliveries.state'),
      share: 1.6,
      cell: ({ state }) => <Badge tone={toneOfReplay(state)}>{t(`replays.state.${state}`)}</Badge>,
    },
    { title: t('replays.of'), share: 4, cell: ({ filter }) => filterText(filter) },
    {
      title: t('replays.queued'),
      share: 2,
      cell: ({ queued, matched }) => `${number(queued)} / ${number(matched)}`,
    },
    { title: t('replays.by'), share: 2, onlyWide: true, cell: ({ createdBy }) => createdBy },
    {
      title: t('replays.started'),
      share: 2.4,
      onlyWide: true,
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
  ];
  return (
    <Screen title={t('rooms.replays')}>
      <ProblemText error={replays.error} />
      <ListAndPane
        list={
          <RowList
            label={t('rooms.replays')}
            items={replays.items}
            idOf={({ id }) => id}
            columns={columns}
            open={open}
            onOpen={(id) => address.set({ open: id })}
            isLoading={replays.isLoading}
            more={replays.hasNextPage ? () => void replays.fetchNextPage() : undefined}
          />
        }
        pane={open && <ReplayPane id={open} />}
        onClose={() => address.set({ open: undefined })}
      />
    </Screen>
  );
}

function ReplayPane({ id }: { id: string }) {
  const { t } = useTranslation();
  const { number } = useFormat();
  const { may } = useSession();
  const send = useSend();
  const { data: replay, error } = useApi('/v1/replays/{id}', { path: { id } }, { everyMs: EVERY_MS });
  if (!replay) return <ProblemText error={error} />;
  const input = { path: { id } };
  return (
    <>
      <h2>
        {t('replays.one')} <code>{id}</code>
      </h2>
      <div className="actions">
        <Badge tone={toneOfReplay(replay.state)}>{t(`replays.state.${replay.state}`)}</Badge>
        {replay.state === 'running' && may('cancelReplay') && (
          <ActionButton
            label={t('replays.stop')}
            color="red"
            variant="filled"
            call={shownCall('/v1/replays/{id}/cancel', input)}
            run={() => send('/v1/replays/{id}/cancel', input)}
          />
        )}
      </div>
      <Facts
        facts={[
          [t('replays.of'), filterText(replay.filter)],
          [t('replays.matched'), number(replay.matched)],
          [t('replays.queued'), number(replay.queued)],
          [t('replays.skippedName'), number(replay.skipped)],
          [t('deadLetters.rate'), replay.ratePerSecond === null ? null : number(replay.ratePerSecond)],
          [t('replays.by'), replay.createdBy],
          [t('replays.started'), <Moment key="started" at={replay.createdAt} />],
          [t('replays.finished'), <Moment key="finished" at={replay.finishedAt} />],
          [t('replays.failure'), replay.failure],
        ]}
      />
      {may('listAudit') && (
        <Link href={placeOf('/audit', { resource: `replay:${id}` })} className="action-link">
          {t('replays.audit')}
        </Link>
      )}
    </>
  );
}

function filterText(filter: Replay['filter']): string {
  return Object.entries(filter)
    .map(([name, value]) => `${name} ${Array.isArray(value) ? value.join(', ') : String(value)}`)
    .join(' · ');
}
