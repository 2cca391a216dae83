import { Button, PasswordInput } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { useTranslation } from 'react-i18next';
import { ApiProblem } from '#client/api-problem.js';
import { Appearance } from '../layout/appearance.js';

/** Where the key is entered, once. */
export function KeyEntry({
  isChecking,
  refusal,
  onKey,
}: {
  isChecking: boolean;
  refusal: Error | null;
  onKey: (key: string) => void;
}) {
  const { t } = useTranslation();
  const [entered, setEntered] = useState('');
  const enter = (event: FormEvent) => {
    event.preventDefault();
    if (entered.trim() !== '') onKey(entered.trim());
  };
  return (
    <main className="key-entry">
      <h1>entrega</h1>
      <form onSubmit={enter} aria-label={t('session.title')}>
        <p>{t('session.explanation')}</p>
        <PasswordInput
          label={t('session.key')}
          value={entered}
          onChange={(event) => setEntered(event.currentTarget.value)}
          autoComplete="off"
          autoFocus
          size="sm"
          visibilityToggleButtonProps={{ 'aria-label': t('session.showKey'), tabIndex: 0 }}
        />
        {refusal && (
          <p role="alert" className="tone-bad">
            {refusalText(refusal, t('session.wrongKey'), t('session.noAnswer'))}
          </p>
        )}
        <Button type="submit" size="sm" loading={isChecking}>
          {t('session.enter')}
        </Button>
        <p className="quiet">{t('session.where')}</p>
      </form>
      <Appearance />
    </main>
  );
}

function refusalText(refusal: Error, wrongKey: string, noAnswer: string): string {
  if (!(refusal instanceof ApiProblem)) return noAnswer;
  return refusal.status === 401 ? wrongKey : refusal.detail;
}
