import { useMutation } from '@tanstack/react-query';
import { Button } from '@mantine/core';
import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '#client/api-call.js';
import { useApi } from '../api/use-api.js';
import { shownCall, useSend } from '../api/use-send.js';
import { AttemptSummary } from '../deliveries/attempt-summary.js';
import { ActionButton } from '../layout/action-button.js';
import { CallText } from '../layout/call-text.js';
import { ActionProblem } from '../layout/problem-text.js';
import { useFormat } from '../layout/time.js';
import { watchReplay } from '../replays/watched-replays.js';
import { useSession } from '../session/session.js';

/** What the state of an endpoint allows: try it, switch it, and send what it missed. */
export function EndpointActions({ endpoint }: { endpoint: Schemas['Endpoint'] }) {
  const { t } = useTranslation();
  const { may } = useSession();
  const send = useSend();
  const { id, state } = endpoint;
  /** What enabling said, and from when on it was disabled. */
  const [enabled, setEnabled] = useState<{ suppressedCount: number; since: string } | null>(null);
  const input = { path: { id } };
  if (state === 'revoked') return null;
  return (
    <div className="endpoint-actions">
      <Verify endpoint={endpoint} />
      <div className="actions">
        {state === 'disabled' && may('enableEndpoint') && (
          <ActionButton
            label={t('endpoints.enable')}
            variant="filled"
            call={shownCall('/v1/endpoints/{id}/enable', input)}
            run={async () => {
              const since = endpoint.disabledAt ?? endpoint.createdAt;
              const { suppressedCount } = await send('/v1/endpoints/{id}/enable', input);
              setEnabled({ suppressedCount, since });
            }}
          />
        )}
        {state === 'active' && may('pauseEndpoint') && (
          <ActionButton
            label={t('endpoints.pause')}
            question={t('endpoints.pauseQuestion')}
            call={shownCall('/v1/endpoints/{id}/pause', input)}
            run={() => send('/v1/endpoints/{id}/pause', input)}
          />
        )}
        {state === 'paused' && may('resumeEndpoint') && (
          <ActionButton
            label={t('endpoints.resume')}
            variant="filled"
            call={shownCall('/v1/endpoints/{id}/resume', input)}
            run={() => send('/v1/endpoints/{id}/resume', input)}
          />
        )}
        {state !== 'disabled' && may('disableEndpoint') && (
          <ActionButton
            label={t('endpoints.disable')}
            color="red"
            question={t('endpoints.disableQuestion')}
            call={shownCall('/v1/endpoints/{id}/disable', input)}
            run={() => send('/v1/endpoints/{id}/disable', input)}
          />
        )}
        {endpoint.stats.pending > 0 && may('cancelPending') && (
          <ActionButton
            label={t('endpoints.cancelPending')}
            color="red"
            question={t('endpoints.cancelPendingQuestion', { count: endpoint.stats.pending })}
            call={shownCall('/v1/endpoints/{id}/cancel-pending', input)}
            run={() => send('/v1/endpoints/{id}/cancel-pending', input)}
          />
        )}
      </div>
      {enabled && enabled.suppressedCount > 0 && may('replayEndpoint') && (
        <ReplaySuppressed endpoint={endpoint} since={enabled.since} suppressed={enabled.suppressedCount} />
      )}
    </div>
  );
}

/** The contract's test event, where it has one: it changes nothing. */
function Verify({ endpoint: { id, application } }: { endpoint: Schemas['Endpoint'] }) {
  const { t } = useTranslation();
  const { may } = useSession();
  const send = useSend();
  const owner = useApi('/v1/applications/{id}', { path: { id: application } });
  const contract = useApi(
    '/v1/contracts/{name}',
    { path: { name: owner.data?.contract ?? '' } },
    { enabled: owner.data !== undefined },
  );
  const input = { path: { id } };
  const verify = useMutation({ mutationFn: () => send('/v1/endpoints/{id}/verify', input) });
  if (!may('verifyEndpoint') || !contract.data) return null;
  if (contract.data.testEvent === null) return <p className="quiet">{t('endpoints.noTest')}</p>;
  return (
    <div>
      <Button
        variant="default"
        title={shownCall('/v1/endpoints/{id}/verify', input).path}
        loading={verify.isPending}
        onClick={() => verify.mutate()}
      >
        {t('endpoints.verify')}
      </Button>
      <ActionProblem error={verify.error} />
      {verify.data && (
        <div role="status" aria-label={t('endpoints.verified')} className="trial">
          <AttemptSummary attempt={verify.data.attempt} />
        </div>
      )}
    </div>
  );
}

/** What came while it was disabled was kept back, and is sent now. */
function ReplaySuppressed(props: { endpoint: Schemas['Endpoint']; since: string; suppressed: number }) {
  const { endpoint, since, suppressed } = props;
  const { t } = useTranslation();
  const { number } = useFormat();
  const { client } = useSession();
  const send = useSend();
  const input = { path: { id: endpoint.id }, body: { since, states: ['suppressed' as const] } };
  const replay = useMutation({
    mutationFn: async () => {
      const { nextCursor } = await client.get('/v1/attempts', { query: { limit: 1 } });
      const started = (await send('/v1/endpoints/{id}/replay', input)) as Schemas['Replay'];
      watchReplay({
        ...{ id: started.id, endpoint: endpoint.id, application: undefined, to: endpoint.application },
        ...{ tally: { after: nextCursor, standings: {}, failuresInARow: 0 }, stoppedAfterFailures: false },
      });
    },
  });
  if (replay.isSuccess) return null;
  return (
    <div className="card">
      <p>{t('endpoints.suppressed', { number: number(suppressed) })}</p>
      <CallText call={shownCall('/v1/endpoints/{id}/replay', input)} />
      <ActionProblem error={replay.error} />
      <Button loading={replay.isPending} onClick={() => replay.mutate()}>
        {t('endpoints.replay', { number: number(suppressed) })}
      </Button>
    </div>
  );
}
