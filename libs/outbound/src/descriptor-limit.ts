import { readFileSync } from 'node:fs';

const SOFT_LIMIT = /^Max open files +(\d+)/m;

/** How many descriptors this process may have open; Infinity where the system sets no limit or does not tell. */
export function descriptorLimit(): number {
  try {
    return Number(SOFT_LIMIT.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1] ?? Infinity);
  } catch {
    return Infinity;
  }
}
