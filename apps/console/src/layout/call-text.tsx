import { useTranslation } from 'react-i18next';
import { useCallLog, type ShownCall } from '../api/call-log.js';
import { curlOfCall } from '../api/curl.js';
import { CopyButton } from './copy-button.js';

/** A call of the API as one line. */
export function CallText({ call: { method, path, body } }: { call: ShownCall }) {
  return (
    <code className="call-text">
      {method} {path}
      {body !== undefined && ` ${JSON.stringify(body)}`}
    </code>
  );
}

/** What was done last in this tab, as the calls that did it. */
export function CallLog() {
  const { t } = useTranslation();
  const [last, ...earlier] = useCallLog();
  if (!last) return null;
  return (
    <footer className="call-log" aria-label={t('layout.calls')}>
      <CallLine call={last} />
      {earlier.length > 0 && (
        <details>
          <summary>{t('layout.earlierCalls', { count: earlier.length })}</summary>
          {earlier.map((call) => (
            <CallLine key={call.number} call={call} />
          ))}
        </details>
      )}
    </footer>
  );
}

function CallLine({ call }: { call: ReturnType<typeof useCallLog>[number] }) {
  const { t } = useTranslation();
  return (
    <div className="call-line">
      <CallText call={call} />
      <span role="status" className={call.failed ? 'tone-bad' : 'quiet'}>
        {call.outcome ?? '…'}
      </span>
      <CopyButton text={curlOfCall(window.location.origin, call)} label={t('layout.copyCurl')} />
    </div>
  );
}
