import { useTranslation } from 'react-i18next';
import { ApiProblem } from '#client/api-problem.js';

/** What the API refused, in its words. That nothing answers a reading, the banner says. */
export function ProblemText({ error }: { error: unknown }) {
  if (!(error instanceof ApiProblem)) return null;
  return (
    <p role="alert" className="problem tone-bad">
      {[error.detail, ...error.errors.map(({ message }) => message)].join(' ')} <code>{error.code}</code>
    </p>
  );
}

/** The same of a call that changes something; without an answer it may have been done. */
export function ActionProblem({ error }: { error: unknown }) {
  const { t } = useTranslation();
  if (!error || error instanceof ApiProblem) return <ProblemText error={error} />;
  return (
    <p role="alert" className="problem tone-bad">
      {t('layout.noAnswer')}
    </p>
  );
}
