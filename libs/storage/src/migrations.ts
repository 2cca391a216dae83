import { Foundation1764547200000 } from '#migrations/1764547200000-foundation.js';
import { Rejections1764633600000 } from '#migrations/1764633600000-rejections.js';

/** Every migration in order; a landed one never changes. */
export const MIGRATIONS = [Foundation1764547200000, Rejections1764633600000];
