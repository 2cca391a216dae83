import { useQuery } from '@tanstack/react-query';
import { useTranslation } from 'react-i18next';
import { Link } from 'wouter';
import type { Schemas } from '#client/api-call.js';
import { ApiProblem } from '#client/api-problem.js';
import type { EntregaClient } from '#client/entrega-client.js';
import { placeOf, useAddress } from '../layout/address.js';
import { ProblemText } from '../layout/problem-text.js';
import { Screen } from '../layout/screen.js';
import { useSession } from '../session/session.js';

interface Found {
  readonly kind: 'delivery' | 'endpoint' | 'replay' | 'application' | 'event';
  readonly name: string;
  readonly href: string;
}

/** Where what somebody quoted is to be found. */
export function SearchScreen() {
  const { t } = useTranslation();
  const session = useSession();
  const sought = useAddress().get('q')?.trim() ?? '';
  const found = useQuery({
    queryKey: ['search', sought],
    enabled: sought !== '',
    queryFn: async () => (await Promise.all(looksFor(sought, session))).flat(),
  });
  return (
    <Screen title={t('search.title', { sought })}>
      <ProblemText error={found.error} />
      {found.data && (
        <ul className="plain" aria-label={t('search.found')}>
          {found.data.map(({ kind, name, href }) => (
            <li key={`${kind} ${href}`}>
              {t(`search.${kind}`)} <Link href={href}>{name}</Link>
            </li>
          ))}
        </ul>
      )}
      {found.data?.length === 0 && <p>{t('search.nothing')}</p>}
      <p className="quiet">{t('search.urls')}</p>
    </Screen>
  );
}

function looksFor(sought: string, { client, may }: ReturnType<typeof useSession>): Promise<Found[]>[] {
  if (/^https?:\/\//i.test(sought)) return may('readStats') ? [endpointsAt(client, sought)] : [];
  const looks: Promise<Found[]>[] = [];
  if (/^\d+$/.test(sought)) {
    if (may('listDeliveries'))
      looks.push(
        ifThere(client.get('/v1/deliveries/{id}', { path: { id: sought } }), ({ id }) => ({
          ...{ kind: 'delivery', name: id, href: placeOf('/deliveries', { open: id }) },
        })),
      );
    if (may('getEndpoint'))
      looks.push(
        ifThere(client.get('/v1/endpoints/{id}', { path: { id: sought } }), ({ id, url }) => ({
          ...{ kind: 'endpoint', name: url, href: placeOf('/endpoints', { open: id }) },
        })),
      );
    if (may('listReplays'))
      looks.push(
        ifThere(client.get('/v1/replays/{id}', { path: { id: sought } }), ({ id }) => ({
          ...{ kind: 'replay', name: id, href: placeOf('/replays', { open: id }) },
        })),
      );
  }
  if (may('listApplications'))
    looks.push(
      ifThere(client.get('/v1/applications/{id}', { path: { id: sought } }), ({ id, name }) => ({
        ...{ kind: 'application', name: `${id} · ${name}`, href: placeOf('/applications', { open: id }) },
      })),
    );
  if (may('listEvents')) looks.push(eventsNamed(client, sought));
  return looks;
}

/** What the id names; nothing where it names none, or cannot. */
async function ifThere<Answer>(call: Promise<Answer>, foundOf: (answer: Answer) => Found): Promise<Found[]> {
  try {
    return [foundOf(await call)];
  } catch (error) {
    if (error instanceof ApiProblem && [404, 422].includes(error.status)) return [];
    throw error;
  }
}

async function eventsNamed(client: EntregaClient, id: string): Promise<Found[]> {
  try {
    const { items } = await client.get('/v1/events', { query: { id: [id], limit: 20 } });
    return items.map(({ application }) => ({
      kind: 'event',
      name: `${application} · ${id}`,
      href: placeOf('/events', { id, open: `${application}/${id}` }),
    }));
  } catch (error) {
    if (error instanceof ApiProblem && error.status === 422) return [];
    throw error;
  }
}

/** The API finds no endpoint by its URL: those with attempts of a day and those with dead letters are looked through. */
async function endpointsAt(client: EntregaClient, url: string): Promise<Found[]> {
  const [ranking, groups] = await Promise.all([
    client.get('/v1/stats', { query: { by: 'endpoint', order: 'volume', window: '24h', limit: 200 } }),
    client.get('/v1/dead-letters/groups'),
  ]);
  const known = [
    ...(ranking as Schemas['EndpointRanking']).items,
    ...groups.items.map((group) => ({ ...group, id: group.endpoint })),
  ];
  const matching = new Map(known.filter((one) => one.url.startsWith(url)).map((one) => [one.id, one]));
  return [...matching.values()].map((one) => ({
    kind: 'endpoint',
    name: `${one.application} · ${one.url}`,
    href: placeOf('/endpoints', { open: one.id }),
  }));
}
