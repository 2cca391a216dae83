import { useState } from 'react';
import { useTranslation } from 'react-i18next';
import type { Schemas } from '#client/api-call.js';
import { curlOf } from '../api/curl.js';
import { useApi } from '../api/use-api.js';
import { CopyButton } from '../layout/copy-button.js';
import { ProblemText } from '../layout/problem-text.js';

/** An attempt's request and response as they were: secrets masked, bodies pretty or raw. */
export function AttemptExchange({ delivery, number }: { delivery: Schemas['Delivery']; number: number }) {
  const { t } = useTranslation();
  const { id, application, event } = delivery;
  const attempt = useApi('/v1/deliveries/{id}/attempts/{number}', { path: { id, number: String(number) } });
  const whole = useApi(
    '/v1/applications/{application}/events/{event}',
    { path: { application, event: event ?? '' } },
    { enabled: event !== null },
  );
  if (!attempt.data) return <ProblemText error={attempt.error} />;
  const { request, response } = attempt.data;
  const body = request.body === null ? null : (whole.data?.body ?? null);
  const { method, url, headers } = request;
  return (
    <div className="exchange">
      <section aria-label={t('deliveries.request')}>
        <h4>{t('deliveries.request')}</h4>
        <code className="url">
          {method} {url}
        </code>
        <Headers headers={headers} />
        {body === null ? <p className="quiet">{t('deliveries.noBody')}</p> : <BodyText text={body} />}
        <CopyButton
          text={curlOf({ method, url, headers: headers ?? [], body })}
          label={t('layout.copyCurl')}
        />
        {headers?.some(({ value }) => value.includes('***')) && (
          <p className="quiet">{t('deliveries.masked')}</p>
        )}
      </section>
      <section aria-label={t('deliveries.response')}>
        <h4>
          {t('deliveries.response')} {response?.httpStatus}
        </h4>
        {response === null ? (
          <p className="quiet">{t('deliveries.noResponse')}</p>
        ) : (
          <>
            <Headers headers={response.headers} />
            {response.headersCut && <p className="quiet">{t('deliveries.headersCut')}</p>}
            <BodyText text={response.text} />
          </>
        )}
      </section>
    </div>
  );
}

function Headers({ headers }: { headers: readonly { name: string; value: string }[] | null }) {
  const { t } = useTranslation();
  if (headers === null) return <p className="quiet">{t('deliveries.headersNotKept')}</p>;
  return (
    <pre className="headers" tabIndex={0} aria-label={t('deliveries.headers')}>
      {headers.map(({ name, value }) => `${name}: ${value}`).join('\n')}
    </pre>
  );
}

function BodyText({ text }: { text: string }) {
  const { t } = useTranslation();
  const [raw, setRaw] = useState(false);
  const pretty = prettyJson(text);
  return (
    <>
      {pretty !== null && (
        <button type="button" className="chip" aria-pressed={raw} onClick={() => setRaw(!raw)}>
          {t('deliveries.raw')}
        </button>
      )}
      <pre className="body" tabIndex={0} aria-label={t('deliveries.body')}>
        {raw || pretty === null ? text : pretty}
      </pre>
    </>
  );
}

/** Null for what is no JSON. Only for the eye: digits of long numbers are as JavaScript reads them. */
function prettyJson(text: string): string | null {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return null;
  }
}
