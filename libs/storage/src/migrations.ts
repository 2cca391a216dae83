import { Foundation1764547200000 } from '#migrations/1764547200000-foundation.js';
import { Rejections1764633600000 } from '#migrations/1764633600000-rejections.js';
import { ListIndexes1764720000000 } from '#migrations/1764720000000-list-indexes.js';
import { Audit1764806400000 } from '#migrations/1764806400000-audit.js';
import { ApiKeyRateLimits1764892800000 } from '#migrations/1764892800000-api-key-rate-limits.js';
import { AttemptHeaders1764979200000 } from '#migrations/1764979200000-attempt-headers.js';
import { OperatorEvents1765065600000 } from '#migrations/1765065600000-operator-events.js';
import { TraceContext1765152000000 } from '#migrations/1765152000000-trace-context.js';

/** Every migration in order; a landed one never changes. */
export const MIGRATIONS = [
  Foundation1764547200000,
  Rejections1764633600000,
  ListIndexes1764720000000,
  Audit1764806400000,
  ApiKeyRateLimits1764892800000,
  AttemptHeaders1764979200000,
  OperatorEvents1765065600000,
  TraceContext1765152000000,
];
