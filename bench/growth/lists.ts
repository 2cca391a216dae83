import { DAY_MS } from '#domain/durations.js';
import { medianOf } from '../measure/statistics.js';
import { callAsAdmin, type Platform } from '../processes/platform.js';
import { BUSY_APPLICATION, CROWDED_APPLICATION, QUIET_APPLICATION, RARE_TYPE } from './history.js';

const READS = 5;
const QUIET_ENDPOINT = 4_900;

const PLACES = [
  '',
  `application=${BUSY_APPLICATION}`,
  `application=${CROWDED_APPLICATION}`,
  `application=${QUIET_APPLICATION}`,
  'endpoint=1',
  `endpoint=${QUIET_ENDPOINT}`,
];

/** Of first pages and later ones, with each filter that the API offers and in combinations that no index serves. */
export function listPaths(now: Date): string[] {
  const [since, until] = [20, 10].map((days) => new Date(now.getTime() - days * DAY_MS).toISOString());
  const more = ['', `type=${RARE_TYPE}`, 'type=none', `since=${since}&until=${until}`, 'limit=200'];
  const paths = (list: string, ...filters: readonly (readonly string[])[]) =>
    filters
      .reduce<string[]>(
        (queries, filter) =>
          queries.flatMap((query) =>
            filter.map((one) => [query, one].filter((part) => part !== '').join('&')),
          ),
        [''],
      )
      .map((query) => `${list}?${query}`);
  const states = ['', 'delivered', 'pending', 'dead', 'suppressed', 'canceled', 'dead,pending'];
  return [
    ...paths(
      '/v1/deliveries',
      states.map((state) => (state === '' ? '' : `state=${state}`)),
      PLACES,
      more,
    ),
    ...paths('/v1/dead-letters', ['', 'state=closed'], PLACES, more),
    ...paths('/v1/events', PLACES.slice(0, 4), more),
    `/v1/events?id=growth-1,growth-2,growth-3`,
    `/v1/events?application=${BUSY_APPLICATION}&id=growth-1`,
    `/v1/applications?limit=200`,
    `/v1/applications/${CROWDED_APPLICATION}/endpoints?limit=50`,
    `/v1/applications/${CROWDED_APPLICATION}/endpoints?limit=200`,
    '/v1/endpoints/1',
    '/v1/replays?limit=200',
    '/v1/rejections?limit=200',
    '/v1/audit?limit=200',
  ];
}

/** Milliseconds of each list as its client sees them, the median of several reads. */
export async function measureLists(
  platform: Platform,
  paths: readonly string[],
): Promise<Record<string, number>> {
  const figures: Record<string, number> = {};
  for (const path of paths) {
    const times: number[] = [];
    for (let read = 0; read < READS; read++) {
      const startedAt = performance.now();
      await callAsAdmin(platform, 'GET', path);
      times.push(performance.now() - startedAt);
    }
    figures[path] = medianOf(times);
  }
  return figures;
}
