import { Gauge, Histogram, type Registry } from 'prom-client';
import { SECOND_MS } from '#domain/durations.js';

const DURATION_BUCKETS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10];
/** Names come with the days that they are prepared for; more than a few weeks of them are not kept. */
const MAX_KEPT_NAMES = 500;
/** Half as much is the error of a look. One that waited for a connection would take its wait for an offset. */
const LONGEST_CLOCK_LOOK_MS = SECOND_MS;

/** Connections of a pool, and who waits for one. */
export interface PoolFigures {
  readonly total: number;
  readonly idle: number;
  readonly waiting: number;
}

export interface DatabaseSource {
  pool(): PoolFigures;
  /** The database's time. */
  now(): Promise<Date>;
}

/** How this process gets on with its database. */
export class DatabaseMetrics {
  private readonly statements: Histogram;
  private readonly observers = new Map<string, Histogram.Internal<string>>();
  private readonly clockOffset: Gauge;
  private source: DatabaseSource | undefined;
  private readingClock = false;

  constructor(registry: Registry) {
    const registers = [registry];
    const connections: Gauge = new Gauge({
      name: 'entrega_db_pool_connections',
      help: 'Connections to the database, by whether a statement or transaction has them.',
      labelNames: ['state'],
      registers,
      collect: () => {
        if (!this.source) return;
        const { total, idle } = this.source.pool();
        connections.set({ state: 'busy' }, total - idle);
        connections.set({ state: 'idle' }, idle);
      },
    });
    const waiting: Gauge = new Gauge({
      name: 'entrega_db_pool_waiting_requests',
      help: 'Statements and transactions that wait for a connection.',
      registers,
      collect: () => {
        if (this.source) waiting.set(this.source.pool().waiting);
      },
    });
    this.statements = new Histogram({
      name: 'entrega_db_statement_duration_seconds',
      help: 'From sending a statement to its rows, failed ones too, the wait for a connection counted in.',
      labelNames: ['statement'],
      buckets: DURATION_BUCKETS,
      registers,
    });
    this.clockOffset = new Gauge({
      name: 'entrega_clock_offset_seconds',
      help: 'The clock of the database minus that of this process, as it was at the last look that took no longer than a second.',
      registers,
      collect: () => void this.readClock(),
    });
    this.clockOffset.remove();
  }

  /** From now on tells of this database. */
  watch(source: DatabaseSource): void {
    this.source = source;
    void this.readClock();
  }

  /** To be told of every statement. An arrow, so that it can be handed on as it is. */
  readonly statementTook = (name: string, tookMs: number): void => {
    let observer = this.observers.get(name);
    if (!observer) {
      if (this.observers.size >= MAX_KEPT_NAMES) this.observers.clear();
      observer = this.statements.labels(familyOf(name));
      this.observers.set(name, observer);
    }
    observer.observe(tookMs / SECOND_MS);
  };

  /** A scrape gets what is known and does not wait: a database that hangs must not hide everything else. */
  private async readClock(): Promise<void> {
    if (!this.source || this.readingClock) return;
    this.readingClock = true;
    try {
      const before = Date.now();
      const now = await this.source.now();
      const after = Date.now();
      if (after - before <= LONGEST_CLOCK_LOOK_MS)
        this.clockOffset.set((now.getTime() - (before + after) / 2) / SECOND_MS);
    } catch {
      this.clockOffset.remove();
    } finally {
      this.readingClock = false;
    }
  }
}

/** `record-attempt-results-20250101-20250102` is prepared for two days; one without a name is planned for its values. */
function familyOf(name: string): string {
  return name === '' ? 'planned' : name.replace(/-\d{8}-\d{8}$/, '');
}
