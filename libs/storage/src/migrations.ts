import { Foundation1764547200000 } from '#migrations/1764547200000-foundation.js';

/** Every migration in order; a landed one never changes. */
export const MIGRATIONS = [Foundation1764547200000];
