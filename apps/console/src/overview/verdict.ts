import type { Schemas } from '#client/api-call.js';
import type { Readiness } from '../api/use-readiness.js';

/** How often the first screen reads its figures again. */
export const FIGURES_EVERY_MS = 5_000;
/** Older figures are not called good, or anything: they are called old. */
export const STALE_AFTER_MS = 2 * FIGURES_EVERY_MS;

/** An attempt owed for longer makes its endpoint late; much longer is bad. */
const LATE_AFTER_MS = 60_000;
const VERY_LATE_AFTER_MS = 600_000;
/** Below it the share of attempts that succeed is trouble. */
const FINE_SHARE = 0.9;
/** The minutes that are looked back at; the one that still runs is not one of them. */
const MINUTES = 5;

type Ranked = Schemas['EndpointRanking']['items'][number];

export interface VerdictFacts {
  /** Null while they were never read. */
  readonly stats: Schemas['Stats'] | null;
  /** By the longest owed attempt. */
  readonly byLag: readonly Ranked[];
  readonly readiness: Readiness;
  /** Of the oldest of these figures. */
  readonly ageMs: number;
  readonly isConnected: boolean;
}

export type Verdict =
  | { readonly tone: 'stale'; readonly says: 'unknown' | 'old' }
  | { readonly tone: 'bad'; readonly says: 'databaseAway' }
  | { readonly tone: 'warn'; readonly says: 'transportAway' }
  | {
      readonly tone: 'warn' | 'bad';
      readonly says: 'late';
      readonly count: number;
      readonly oldestMs: number;
    }
  | { readonly tone: 'warn'; readonly says: 'disabled'; readonly count: number }
  | {
      readonly tone: 'good' | 'warn';
      readonly says: 'delivering' | 'failing';
      readonly perSecond: number;
      readonly share: number;
    }
  | { readonly tone: 'good'; readonly says: 'idle' };

/**
 * What is to be said first: whether the figures can be believed, what holds everything up, who is late, who gets
 * nothing, and only then how it goes. Figures that are old are never good ones.
 */
export function verdictOf({ stats, byLag, readiness, ageMs, isConnected }: VerdictFacts): Verdict {
  if (stats === null) return { tone: 'stale', says: 'unknown' };
  if (!isConnected || ageMs > STALE_AFTER_MS) return { tone: 'stale', says: 'old' };
  if (readiness === 'unready') return { tone: 'bad', says: 'databaseAway' };
  if (readiness === 'degraded') return { tone: 'warn', says: 'transportAway' };
  const late = lateEndpoints(byLag, Date.parse(stats.at));
  if (late.length > 0) {
    const oldestMs = Math.max(...late.map(({ owedMs }) => owedMs));
    return {
      tone: oldestMs > VERY_LATE_AFTER_MS ? 'bad' : 'warn',
      says: 'late',
      count: late.length,
      oldestMs,
    };
  }
  if (stats.endpoints.disabled > 0)
    return { tone: 'warn', says: 'disabled', count: stats.endpoints.disabled };
  const { succeeded, failed } = recent(stats);
  if (succeeded + failed === 0) return { tone: 'good', says: 'idle' };
  const share = succeeded / (succeeded + failed);
  const rate = { perSecond: succeeded / (MINUTES * 60), share };
  return share < FINE_SHARE
    ? { tone: 'warn', says: 'failing', ...rate }
    : { tone: 'good', says: 'delivering', ...rate };
}

/** Those that are owed something for too long, and not by somebody's wish. */
export function lateEndpoints<Endpoint extends Pick<Ranked, 'state' | 'oldestDueAt'>>(
  endpoints: readonly Endpoint[],
  nowMs: number,
): (Endpoint & { owedMs: number })[] {
  return endpoints.flatMap((endpoint) => {
    if (endpoint.oldestDueAt === null || endpoint.state === 'paused') return [];
    const owedMs = nowMs - Date.parse(endpoint.oldestDueAt);
    return owedMs > LATE_AFTER_MS ? [{ ...endpoint, owedMs }] : [];
  });
}

function recent({ minutes }: Schemas['Stats']): { succeeded: number; failed: number } {
  const whole = minutes.slice(-1 - MINUTES, -1);
  return {
    succeeded: whole.reduce((sum, minute) => sum + minute.succeeded, 0),
    failed: whole.reduce((sum, minute) => sum + minute.failed, 0),
  };
}
