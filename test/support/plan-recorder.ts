import type { Database, Queryable, Statement } from '#storage/database.js';
import { withLiterals } from '#storage/literals.js';
import type { PoolClient } from 'pg';

/** How the server ran one statement: prepared ones with the one plan for all values, others as they are. */
export interface RecordedPlan {
  readonly statement: string;
  /** Partitions that the plan holds, and those of them that were looked into. */
  readonly planned: ReadonlySet<string>;
  readonly probed: ReadonlySet<string>;
  /** Descents into indexes, and table scans that were begun. */
  readonly searches: number;
  /** Rows and index entries that were fetched, those that a filter then refused among them. */
  readonly read: number;
  /** Most rows that one sort took. */
  readonly sorted: number;
  /** Partitions that are read from end to end, empty ones too: they will not stay so. */
  readonly readWhole: readonly string[];
  /** Locks on tables and indexes. */
  readonly locks: number;
}

interface PlanNode {
  readonly 'Node Type': string;
  readonly 'Relation Name'?: string;
  readonly 'Index Name'?: string;
  readonly 'Index Searches'?: number;
  readonly 'Actual Rows': number;
  readonly 'Actual Loops': number;
  readonly 'Rows Removed by Filter'?: number;
  readonly 'Rows Removed by Index Recheck'?: number;
  readonly Plans?: readonly PlanNode[];
}

const PARTITION = /^(?:events|deliveries|attempts|endpoint_minutes)_\d{8}$/;

/**
 * A database that explains each statement as it runs it, so that plans are seen of the very statements and values
 * that the product sends. What is explained is rolled back before the statement itself runs.
 */
export class PlanRecorder implements Pick<Database, 'query' | 'transaction'> {
  readonly plans: RecordedPlan[] = [];
  private count = 0;

  constructor(private readonly database: Database) {}

  async query<Row>(statement: Statement, values: readonly unknown[]): Promise<Row[]> {
    await this.database.withClient(async (client) => {
      await client.query('BEGIN');
      this.plans.push(await this.explain(client, statement, values));
      await client.query('ROLLBACK');
    });
    return this.database.query<Row>(statement, values);
  }

  async transaction<Result>(work: (connection: Queryable) => Promise<Result>): Promise<Result> {
    return this.database.withClient(async (client) => {
      await client.query('BEGIN');
      const result = await work({
        query: async <Row>(statement: Statement, values: readonly unknown[]) => {
          if (!statement.text.startsWith('SET '))
            this.plans.push(await this.explain(client, statement, values));
          return (await client.query({ text: withLiterals(statement.text, values) })).rows as Row[];
        },
      });
      await client.query('COMMIT');
      return result;
    });
  }

  private async explain(
    client: PoolClient,
    statement: Statement,
    values: readonly unknown[],
  ): Promise<RecordedPlan> {
    const name = `explained_${++this.count}`;
    await client.query('SAVEPOINT explaining');
    if (statement.inIndexOrder) await client.query('SET LOCAL enable_sort = off');
    if (statement.name !== '') await client.query(`PREPARE ${name} AS ${statement.text}`);
    const marks = values.map((_, index) => `$${index + 1}`).join(', ');
    const run =
      statement.name === '' ? statement.text : `EXECUTE ${name}${values.length > 0 ? ` (${marks})` : ''}`;
    if (statement.name !== '') {
      // Planned once; the locks that this takes are not those of each later run.
      await client.query('SAVEPOINT planning');
      await client.query(withLiterals(`EXPLAIN ${run}`, values));
      await client.query('ROLLBACK TO planning');
    }
    const locksBefore = await countLocks(client);
    const explained = await client.query<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
      withLiterals(`EXPLAIN (ANALYZE, TIMING OFF, FORMAT JSON) ${run}`, values),
    );
    const locks = (await countLocks(client)) - locksBefore;
    await client.query('ROLLBACK TO explaining');
    if (statement.name !== '') await client.query(`DEALLOCATE ${name}`);
    const { Plan } = explained.rows[0]!['QUERY PLAN'][0];
    return { statement: statement.name || statement.text.trim().slice(0, 60), ...summarize(Plan), locks };
  }
}

async function countLocks(client: PoolClient): Promise<number> {
  const { rows } = await client.query<{ count: number }>(
    'SELECT count(DISTINCT relation) FROM pg_locks WHERE pid = pg_backend_pid() AND relation IS NOT NULL',
  );
  return rows[0]!.count;
}

function summarize(root: PlanNode): Omit<RecordedPlan, 'statement' | 'locks'> {
  const nodes = allOf(root);
  const ofPartitions = nodes.filter((node) => PARTITION.test(node['Relation Name'] ?? ''));
  const scans = nodes.filter((node) => node['Actual Loops'] > 0 && node['Node Type'].includes('Scan'));
  const begun = scans.filter((node) => ofPartitions.includes(node) || node['Index Name'] !== undefined);
  const wholes = ofPartitions.filter((node) => node['Node Type'] === 'Seq Scan');
  const sorts = nodes.filter((node) => node['Node Type'] === 'Sort' && node['Actual Loops'] > 0);
  return {
    planned: new Set(ofPartitions.map(nameOf)),
    probed: new Set(begun.filter((node) => ofPartitions.includes(node)).map(nameOf)),
    searches: begun.reduce((sum, node) => sum + (node['Index Searches'] ?? node['Actual Loops']), 0),
    read: begun.reduce((sum, node) => sum + fetchedBy(node), 0),
    sorted: Math.max(0, ...sorts.map((node) => node.Plans![0]!['Actual Rows'])),
    readWhole: wholes.map(nameOf),
  };
}

function allOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(allOf)];
}

function nameOf(node: PlanNode): string {
  return node['Relation Name']!;
}

function fetchedBy(node: PlanNode): number {
  const perLoop =
    node['Actual Rows'] +
    (node['Rows Removed by Filter'] ?? 0) +
    (node['Rows Removed by Index Recheck'] ?? 0);
  return Math.round(perLoop * node['Actual Loops']);
}
