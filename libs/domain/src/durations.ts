const UNIT_MS = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 } as const;

export const SECOND_MS = UNIT_MS.s;
export const MINUTE_MS = UNIT_MS.m;
export const HOUR_MS = UNIT_MS.h;
export const DAY_MS = UNIT_MS.d;

/** A wait is drawn uniformly between its bounds; a fixed wait has equal bounds. Milliseconds. */
export interface WaitRange {
  readonly minMs: number;
  readonly maxMs: number;
}

const DURATION = /^(\d{1,9}(?:\.\d{1,3})?)(ms|s|m|h|d)$/;

/** Patterns of what {@link parseDurationMs} and {@link parseWaitRange} read, for documentation. */
export const DURATION_PATTERN = DURATION.source;
export const WAIT_RANGE_PATTERN = DURATION_PATTERN.replace('$', `(\\.\\.${DURATION_PATTERN.slice(1, -1)})?$`);

/**
 * Reads `"15s"`, `"500ms"`, `"2h"` (units ms, s, m, h, d; a whole or decimal number) as milliseconds.
 * Returns null for anything else, so that the edge can name the value it refuses.
 */
export function parseDurationMs(text: string): number | null {
  const match = DURATION.exec(text);
  if (!match) return null;
  return Math.round(Number(match[1]) * UNIT_MS[match[2] as keyof typeof UNIT_MS]);
}

/** Reads a duration (`"15s"`) or a range (`"15s..30s"`, bounds in order). Null for anything else. */
export function parseWaitRange(text: string): WaitRange | null {
  const [from = '', to, ...rest] = text.split('..');
  const minMs = parseDurationMs(from);
  const maxMs = to === undefined ? minMs : parseDurationMs(to);
  if (rest.length > 0 || minMs === null || maxMs === null || maxMs < minMs) return null;
  return { minMs, maxMs };
}

/** Writes milliseconds in the largest unit that divides them: 90000 → `"90s"`, 60000 → `"1m"`. */
export function formatDuration(ms: number): string {
  for (const unit of ['d', 'h', 'm', 's'] as const) {
    if (ms >= UNIT_MS[unit] && ms % UNIT_MS[unit] === 0) return `${ms / UNIT_MS[unit]}${unit}`;
  }
  return `${ms}ms`;
}

/** The counterpart of {@link parseWaitRange}. */
export function formatWaitRange(range: WaitRange): string {
  const from = formatDuration(range.minMs);
  return range.minMs === range.maxMs ? from : `${from}..${formatDuration(range.maxMs)}`;
}
