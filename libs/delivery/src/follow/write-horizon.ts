import { SECOND_MS } from '#domain/durations.js';
import { SEQUENCE_SIZE, type TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable } from '#storage/database.js';
import { oldestRunningTransaction, setWriteMark, type WriteMark } from '#storage/sql/write-horizon.js';

/** No statement that writes attempts takes longer than a third of it. */
const SETTLED_AFTER_MS = 30 * SECOND_MS;

/**
 * Up to which id every attempt that will ever be is there to be read.
 *
 * Batches of results commit in another order than that in which their attempts got ids: who follows to the last id
 * that he sees misses what is still to commit below it. So a mark is set at the id of now, and once no transaction runs
 * that was under way then, nothing comes to light up to it any more. That is mostly at once, and else at a later
 * reading. A transaction of somebody else's that runs for long (an index being built) holds nothing up beyond the time
 * after which no writer of attempts can be left.
 *
 * The order of ids is that of the database's clock. What a clock that was set back gives ids to lies behind readers
 * until it has caught up.
 */
export class WriteHorizon {
  private settled: TimeOrderedId = 0;
  private marks: WriteMark[] = [];
  private reading: Promise<TimeOrderedId> | undefined;

  constructor(private readonly database: Queryable) {}

  /** Never goes back. Who asks while it is read shares the answer. */
  read(): Promise<TimeOrderedId> {
    this.reading ??= this.readAnew().finally(() => (this.reading = undefined));
    return this.reading;
  }

  private async readAnew(): Promise<TimeOrderedId> {
    const mark = await setWriteMark(this.database);
    const oldest = await oldestRunningTransaction(this.database);
    this.marks.push(mark);
    const settled = this.marks.filter(({ transaction }) => transaction < oldest).map(({ id }) => id);
    this.settled = Math.max(this.settled, mark.id - SETTLED_AFTER_MS * SEQUENCE_SIZE, ...settled);
    this.marks = this.marks.filter(({ id }) => id > this.settled);
    return this.settled;
  }
}
