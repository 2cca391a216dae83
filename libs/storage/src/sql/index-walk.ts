import { DAY_MS } from '#domain/durations.js';
import { firstIdAt, idDay, type TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable } from '../database.js';
import { Parameters, whereAll } from './parameters.js';

/**
 * Rows that one look examines at most, of all owners together: some ten milliseconds on a busy machine. Those of a
 * partial index lie apart, each in a page of its own.
 */
const MAX_EXAMINED = 5_000;
const MAX_EXAMINED_APART = 2_000;
/** Full days before the newest one that the first look goes back, and the second; the third has no bound. */
const DAYS_BACK = [0, 7];

interface Column {
  readonly name: string;
  readonly type: 'bigint' | 'text' | 'timestamptz';
}

export const ID: Column = { name: 'id', type: 'bigint' };

/** The leading columns of an index, and their values, of which each is walked by itself. */
export interface Owner {
  readonly columns: readonly Column[];
  readonly values: readonly (readonly unknown[])[];
}

export const EVERYBODY: Owner = { columns: [], values: [[]] };

/**
 * Rows newest first, from one index and from no other, until a page is full or enough were examined.
 *
 * - With a plain equality on the owner the planner takes an average one for granted and walks the primary key
 *   backwards, past all rows of the busy owners, to find those of a quiet one. Rows compared as wholes leave it only
 *   the index on owner and position.
 * - Conditions that the index does not know are tested on a bounded number of rows, so that a page is cheap whatever
 *   is sought; the walk says where it stopped.
 * - It is planned for its values, and so looks only into the partitions that its bounds leave.
 */
export interface IndexWalk {
  readonly table: 'deliveries' | 'events';
  /** By which the conditions and `select` know the rows. */
  readonly alias: 'd' | 'v';
  readonly owner: Owner;
  /** The columns of the order, the id last, and its bounds: `from ≤ position < before`. */
  readonly position: readonly Column[];
  readonly from: readonly unknown[];
  readonly before: readonly unknown[];
  /** The condition of a partial index; null for one of all rows. */
  readonly partial: string | null;
  /** Bounds on the id that leave partitions out. */
  readonly bounds: readonly string[];
  /** What the index does not know. */
  readonly filter: (parameters: Parameters) => readonly string[];
  /** The statement, around the rows of the page (an item of FROM) and their order. */
  readonly select: (rows: string, order: string) => string;
}

/** A page that may end early, and then the position down to which everything was examined. */
export interface WalkedPage<Row, Position = readonly unknown[]> {
  readonly rows: readonly Row[];
  readonly stoppedAt: Position | null;
}

/** Up to `limit` rows of the walk. */
export async function walkIndex<Row>(
  database: Queryable,
  walk: IndexWalk,
  limit: number,
): Promise<WalkedPage<Row>> {
  const parameters = new Parameters();
  const { alias, position, owner } = walk;
  const filter = walk.filter(parameters);
  // Before the page is read, which so has examined all down to there, whatever changes meanwhile.
  const stop = filter.length === 0 ? null : await findStop(database, walk);
  const { owners, rows, order } = walkSql(stop === null ? walk : { ...walk, from: stop }, parameters);
  const newest = descending(position, alias);
  // Of more owners than the page has rows only those with the newest row of their own can have one on it.
  const wanted =
    filter.length > 0 || owner.values.length <= limit
      ? owners
      : `(SELECT owner.* FROM ${owners} CROSS JOIN LATERAL (${rows(columnsOf(position, alias))} LIMIT 1) AS newest
           ${descending(position, 'newest')} LIMIT ${limit}) AS owner`;
  // The inner limit, which nothing reaches, keeps the filter from being a reason for another index.
  const page = `(SELECT ${alias}.* FROM ${wanted} CROSS JOIN LATERAL (
      SELECT * FROM (${rows(`${alias}.*`)} LIMIT ${filter.length === 0 ? limit : 2 * mostExamined(walk)}) AS ${alias}
       ${whereAll(filter)} ${order} LIMIT ${limit}) AS ${alias} ${newest} LIMIT ${limit}) AS ${alias}`;
  const found = await database.query<Row>(
    { name: '', measuredAs: 'walk-index', text: walk.select(page, newest), inIndexOrder: true },
    parameters.values,
  );
  return { rows: found, stoppedAt: found.length >= limit ? null : stop };
}

/** The newest of the owners' positions after their share of rows; null where none has as many. From the index alone. */
async function findStop(database: Queryable, walk: IndexWalk): Promise<unknown[] | null> {
  const parameters = new Parameters();
  const share = Math.ceil(mostExamined(walk) / Math.max(1, walk.owner.values.length));
  const { owners, rows } = walkSql(walk, parameters);
  const text = `
SELECT place.* FROM ${owners} CROSS JOIN LATERAL (
  ${rows(columnsOf(walk.position, walk.alias))} OFFSET ${share - 1} LIMIT 1) AS place
 ${descending(walk.position, 'place')} LIMIT 1`;
  const [place] = await database.query<Record<string, unknown>>(
    { name: '', measuredAs: 'walk-index', text, inIndexOrder: true },
    parameters.values,
  );
  return place ? walk.position.map(({ name }) => place[name]) : null;
}

function mostExamined({ partial }: IndexWalk): number {
  return partial === null ? MAX_EXAMINED : MAX_EXAMINED_APART;
}

interface WalkSql {
  readonly owners: string;
  /** Of one owner, ordered. */
  readonly rows: (columns: string) => string;
  readonly order: string;
}

function walkSql(
  { table, alias, owner, position, from, before, partial, bounds }: IndexWalk,
  parameters: Parameters,
): WalkSql {
  const arrays = owner.columns.map(
    ({ type }, index) => `${parameters.add(owner.values.map((values) => values[index]))}::${type}[]`,
  );
  const names = owner.columns.map(({ name }) => name);
  const columns = [...owner.columns, ...position];
  const whole = `(${columnsOf(columns, alias)})`;
  const bound = (values: readonly unknown[]) =>
    `(${[
      ...names.map((name) => `owner.${name}`),
      ...position.map(({ type }, index) => `${parameters.add(values[index])}::${type}`),
    ].join(', ')})`;
  const conditions = [
    ...(partial === null ? [] : [partial]),
    ...bounds,
    `${whole} >= ${bound(from)}`,
    `${whole} < ${bound(before)}`,
  ];
  const order = descending(columns, alias);
  return {
    owners:
      names.length === 0 ? '(SELECT) AS owner' : `unnest(${arrays.join(', ')}) AS owner(${names.join(', ')})`,
    rows: (selected) => `SELECT ${selected} FROM ${table} ${alias} ${whereAll(conditions)} ${order}`,
    order,
  };
}

function columnsOf(columns: readonly Column[], alias: string): string {
  return columns.map(({ name }) => `${alias}.${name}`).join(', ');
}

function descending(columns: readonly Column[], alias: string): string {
  return `ORDER BY ${columns.map(({ name }) => `${alias}.${name} DESC`).join(', ')}`;
}

/** A walk in the order of ids, told for each of its looks between which ids that is. */
export interface IdWalk extends Omit<IndexWalk, 'position' | 'from' | 'before' | 'bounds' | 'select'> {
  readonly select: (rows: string, order: string, from: TimeOrderedId, before: TimeOrderedId) => string;
}

/**
 * From the newest day backwards in a few looks, for a page mostly ends in the first: what is older is neither
 * planned nor locked. `from ≤ id < before`.
 */
export async function walkIds<Row extends { readonly id: TimeOrderedId }>(
  database: Queryable,
  walk: IdWalk,
  from: TimeOrderedId,
  before: TimeOrderedId,
  limit: number,
): Promise<WalkedPage<Row, TimeOrderedId>> {
  const rows: Row[] = [];
  let upTo = before;
  for (const start of [...startsOfLooks(before), from]) {
    const downTo = Math.max(start, from);
    if (downTo >= upTo) continue;
    const look: IndexWalk = {
      ...walk,
      position: [ID],
      from: [downTo],
      before: [upTo],
      bounds: [`${walk.alias}.id >= ${downTo}`, `${walk.alias}.id < ${upTo}`],
      select: (found, order) => walk.select(found, order, downTo, upTo),
    };
    const page = await walkIndex<Row>(database, look, limit - rows.length);
    rows.push(...page.rows);
    if (page.stoppedAt !== null) return { rows, stoppedAt: page.stoppedAt[0] as TimeOrderedId };
    if (rows.length >= limit) break;
    upTo = downTo;
  }
  return { rows, stoppedAt: null };
}

function startsOfLooks(before: TimeOrderedId): TimeOrderedId[] {
  const newestDay = idDay(Math.min(before - 1, firstIdAt(new Date()))).getTime();
  return DAYS_BACK.map((days) => firstIdAt(new Date(newestDay - days * DAY_MS)));
}
