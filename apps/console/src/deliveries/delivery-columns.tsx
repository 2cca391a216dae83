import { useTranslation } from 'react-i18next';
import type { Schemas } from '#client/api-call.js';
import { endingOf } from '../dead-letters/ending.js';
import { Badge } from '../layout/badge.js';
import type { Column } from '../layout/row-list.js';
import { Moment } from '../layout/time.js';
import { toneOfDelivery } from '../layout/tone.js';

export function useDeliveryColumns(): Column<Schemas['Delivery']>[] {
  const { t } = useTranslation();
  return [
    {
      title: t('deliveries.state'),
      share: 2,
      cell: ({ state }) => <Badge tone={toneOfDelivery(state)}>{t(`deliveries.states.${state}`)}</Badge>,
    },
    { title: t('deliveries.application'), share: 2, cell: ({ application }) => application },
    { title: t('deliveries.event'), share: 4, cell: ({ event }) => event ?? '–' },
    { title: t('deliveries.type'), share: 3, onlyWide: true, cell: ({ type }) => type },
    {
      title: t('deliveries.attempts'),
      share: 1.2,
      onlyWide: true,
      cell: ({ attemptCount, maxAttempts }) => `${attemptCount}/${maxAttempts}`,
    },
    {
      title: t('deliveries.last'),
      share: 1.5,
      cell: ({ lastHttpStatus, lastError }) => endingOf(lastHttpStatus, lastError?.code ?? null),
    },
    {
      title: t('deliveries.created'),
      share: 2.4,
      onlyWide: true,
      cell: ({ createdAt }) => <Moment at={createdAt} />,
    },
  ];
}
