import { Foundation1764547200000 } from '#migrations/1764547200000-foundation.js';
import { Rejections1764633600000 } from '#migrations/1764633600000-rejections.js';
import { ListIndexes1764720000000 } from '#migrations/1764720000000-list-indexes.js';
import { Audit1764806400000 } from '#migrations/1764806400000-audit.js';
import { ApiKeyRateLimits1764892800000 } from '#migrations/1764892800000-api-key-rate-limits.js';

/** Every migration in order; a landed one never changes. */
export const MIGRATIONS = [
  Foundation1764547200000,
  Rejections1764633600000,
  ListIndexes1764720000000,
  Audit1764806400000,
  ApiKeyRateLimits1764892800000,
];
