import { HOUR_MS, MINUTE_MS } from '#domain/durations.js';
import type { TimeOrderedId } from '#domain/time-ordered-id.js';
import type { Queryable } from '#storage/database.js';
import {
  type Activity,
  type EndpointActivity,
  type MinuteActivity,
  sumActivity,
  sumMinutes,
} from '#storage/sql/endpoint-activity.js';

/** Lengths of what is kept, and how long ago it may have begun: when no window needs it but as a part of a longer one. */
const SLOTS = [
  { lengthMs: HOUR_MS, keptMs: 26 * HOUR_MS },
  { lengthMs: 5 * MINUTE_MS, keptMs: 3 * HOUR_MS },
  { lengthMs: MINUTE_MS, keptMs: 15 * MINUTE_MS },
];
/** A batch of results is written to the minute in which its statement began: after this nobody writes to a minute. */
const SETTLED_AFTER_MS = MINUTE_MS;
const MINUTES_SHOWN = 60;

/** How far to look back, and to which step its beginning is rounded down. */
export const ACTIVITY_WINDOWS = {
  '5m': { lengthMs: 5 * MINUTE_MS, stepMs: MINUTE_MS },
  '1h': { lengthMs: HOUR_MS, stepMs: 5 * MINUTE_MS },
  '24h': { lengthMs: 24 * HOUR_MS, stepMs: HOUR_MS },
} as const;
export type ActivityWindow = keyof typeof ACTIVITY_WINDOWS;

/**
 * What the rollup says of the last minutes and hours. It has a row for each endpoint and minute, seven million in a
 * day of 5,000 busy ones: what is past changes no more, so its sums are kept, by the hour, by five minutes and
 * by one, and only the latest minute or two are read again.
 */
export class RecentActivity {
  /** By their beginning and length. */
  private readonly slots = new Map<
    string,
    { readonly forgetAtMs: number; readonly sums: Promise<EndpointActivity[]> }
  >();
  private readonly minutes = new Map<number, Omit<MinuteActivity, 'minute'>>();

  constructor(private readonly database: Queryable) {}

  /** Of each endpoint that had attempts, since a little before the window began. */
  async ofEndpoints(
    window: ActivityWindow,
    now: Date,
  ): Promise<{ since: Date; activity: ReadonlyMap<TimeOrderedId, Activity> }> {
    const { lengthMs, stepMs } = ACTIVITY_WINDOWS[window];
    const nowMs = now.getTime();
    const since = floorTo(nowMs - lengthMs, stepMs);
    this.forget(nowMs);
    const activity = new Map<TimeOrderedId, Activity>();
    let from = since;
    for (;;) {
      const slot = slotFrom(from, nowMs - SETTLED_AFTER_MS);
      const sums = slot ? await this.slot(from, slot) : await this.read(from, nowMs + HOUR_MS);
      for (const one of sums) activity.set(one.endpointId, added(activity.get(one.endpointId), one));
      if (!slot) return { since: new Date(since), activity };
      from += slot.lengthMs;
    }
  }

  /**
   * The last hour by minute, the running one included, oldest first.
   *
   * @param endpointIds null for all
   */
  async byMinute(endpointIds: readonly TimeOrderedId[] | null, now: Date): Promise<MinuteActivity[]> {
    const last = floorTo(now.getTime(), MINUTE_MS);
    const shown = Array.from(
      { length: MINUTES_SHOWN },
      (_, index) => last - (MINUTES_SHOWN - 1 - index) * MINUTE_MS,
    );
    const known = endpointIds === null ? this.minutes : new Map<number, Omit<MinuteActivity, 'minute'>>();
    const settledBefore = now.getTime() - SETTLED_AFTER_MS - MINUTE_MS;
    const unknown = shown.find((minute) => minute > settledBefore || !known.has(minute))!;
    const found = await sumMinutes(this.database, new Date(unknown), endpointIds);
    const read = new Map(found.map(({ minute, ...sums }) => [minute.getTime(), sums]));
    for (const minute of known.keys()) if (minute < shown[0]!) known.delete(minute);
    for (const minute of shown)
      if (minute >= unknown && minute <= settledBefore) known.set(minute, read.get(minute) ?? NONE);
    return shown.map((minute) => ({
      minute: new Date(minute),
      ...((minute < unknown ? known : read).get(minute) ?? NONE),
    }));
  }

  private slot(from: number, { lengthMs, keptMs }: (typeof SLOTS)[number]): Promise<EndpointActivity[]> {
    const key = `${from}+${lengthMs}`;
    let slot = this.slots.get(key);
    if (!slot) {
      slot = { forgetAtMs: from + keptMs, sums: this.read(from, from + lengthMs) };
      slot.sums.catch(() => this.slots.delete(key));
      this.slots.set(key, slot);
    }
    return slot.sums;
  }

  private read(from: number, until: number): Promise<EndpointActivity[]> {
    return sumActivity(this.database, new Date(from), new Date(until));
  }

  private forget(nowMs: number): void {
    for (const [key, { forgetAtMs }] of this.slots) if (forgetAtMs < nowMs) this.slots.delete(key);
  }
}

const NONE = { succeeded: 0, failed: 0 };

/** The longest that begins there and is settled. */
function slotFrom(from: number, settledUntil: number): (typeof SLOTS)[number] | undefined {
  return SLOTS.find(({ lengthMs }) => from % lengthMs === 0 && from + lengthMs <= settledUntil);
}

function floorTo(timeMs: number, stepMs: number): number {
  return Math.floor(timeMs / stepMs) * stepMs;
}

function added(known: Activity | undefined, more: Activity): Activity {
  if (!known) return more;
  return {
    succeeded: known.succeeded + more.succeeded,
    failed: known.failed + more.failed,
    durationMs: known.durationMs + more.durationMs,
  };
}
