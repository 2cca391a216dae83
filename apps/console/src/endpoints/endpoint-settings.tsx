import { useTranslation } from 'react-i18next';
import { useApi } from '../api/use-api.js';

/** Settings as they are for an application's endpoints, and whether the contract or the application says so. */
export function EndpointSettings({ application }: { application: string }) {
  const { t } = useTranslation();
  const owner = useApi('/v1/applications/{id}', { path: { id: application } });
  const contract = useApi(
    '/v1/contracts/{name}',
    { path: { name: owner.data?.contract ?? '' } },
    { enabled: owner.data !== undefined },
  );
  if (!owner.data || !contract.data) return null;
  const own = owner.data.settings as Readonly<Record<string, unknown>>;
  return (
    <section aria-label={t('endpoints.settings')}>
      <h3>{t('endpoints.settings')}</h3>
      <table>
        <thead>
          <tr>
            <th scope="col">{t('endpoints.setting')}</th>
            <th scope="col">{t('endpoints.value')}</th>
            <th scope="col">{t('endpoints.from')}</th>
          </tr>
        </thead>
        <tbody>
          {Object.entries(contract.data.defaults).map(([name, value]) => (
            <tr key={name}>
              <td>
                <code>{name}</code>
              </td>
              <td>{shown(own[name] ?? value)}</td>
              <td>{own[name] === undefined ? contract.data.name : application}</td>
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function shown(value: unknown): string {
  return Array.isArray(value) ? value.join(', ') : String(value);
}
