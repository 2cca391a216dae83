import { Button } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '#client/api-call.js';
import { useSend } from '../api/use-send.js';
import { AttemptSummary } from '../deliveries/attempt-summary.js';
import { ActionProblem } from '../layout/problem-text.js';
import { SECOND_MS } from '../layout/time.js';
import { useClient } from '../session/session.js';
import type { RedeliveryChoice } from './redelivery.js';

const LOOK_EVERY_MS = 300;
/** An attempt may last 20 s by its deadlines; a receiver that works answers long before. */
const PATIENCE_MS = 25 * SECOND_MS;

interface Trial {
  /** Null: the oldest is no dead letter any more. */
  readonly delivery: string | null;
  /** Null: none ended within our patience. */
  readonly attempt: Schemas['Attempt'] | null;
}

/**
 * Sends the oldest dead letter and shows what came back.
 *
 * @param props.oldest when it finished, as the preview says
 */
export function TryOne(props: {
  choice: RedeliveryChoice;
  oldest: string | null;
  onTried: (succeeded: boolean) => void;
}) {
  const { choice, oldest, onTried } = props;
  const { t } = useTranslation();
  const client = useClient();
  const send = useSend();
  const trial = useMutation({
    mutationFn: async (): Promise<Trial> => {
      // The list is ordered by that time: the last of those up to it is the oldest.
      const until = new Date(Date.parse(oldest!) + 1).toISOString();
      const { application, endpoint, type } = choice;
      const letters = await client.get('/v1/dead-letters', {
        query: {
          until,
          limit: 200,
          ...(application !== undefined && { application: [application] }),
          ...(endpoint !== undefined && { endpoint: [endpoint] }),
          ...(type !== undefined && { type: [type] }),
        },
      });
      const letter = letters.items.at(-1);
      if (!letter) return { delivery: null, attempt: null };
      await send('/v1/deliveries/{id}/redeliver', { path: { id: letter.id } });
      return { delivery: letter.id, attempt: await nextAttempt(letter) };
    },
    onSuccess: ({ attempt }) => attempt && onTried(attempt.outcome === 'success'),
  });

  async function nextAttempt({ id, attemptCount }: Schemas['Delivery']): Promise<Schemas['Attempt'] | null> {
    const endMs = Date.now() + PATIENCE_MS;
    while (Date.now() < endMs) {
      await new Promise((resolve) => setTimeout(resolve, LOOK_EVERY_MS));
      const delivery = await client.get('/v1/deliveries/{id}', { path: { id } });
      if (delivery.attemptCount > attemptCount) {
        return client.get('/v1/deliveries/{id}/attempts/{number}', {
          path: { id, number: String(delivery.attemptCount) },
        });
      }
    }
    return null;
  }

  return (
    <div className="step">
      <Button
        variant="default"
        disabled={oldest === null}
        loading={trial.isPending}
        onClick={() => trial.mutate()}
      >
        {t('deadLetters.tryOne')}
      </Button>
      <span className="quiet">{t('deadLetters.tryOneHint')}</span>
      <ActionProblem error={trial.error} />
      {trial.data && (
        <div role="status" aria-label={t('deadLetters.tried')} className="trial">
          {trial.data.attempt ? (
            <AttemptSummary attempt={trial.data.attempt} />
          ) : (
            <NoAnswer delivery={trial.data.delivery} />
          )}
        </div>
      )}
    </div>
  );
}

function NoAnswer({ delivery }: { delivery: string | null }) {
  const { t } = useTranslation();
  return delivery === null ? t('deadLetters.gone') : t('deadLetters.noAnswerYet', { id: delivery });
}
