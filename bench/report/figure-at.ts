import type { Figures } from '../measure/statistics.js';

/** The figure at a path such as `cpuPer1000.total`; undefined where a row has none. */
export function figureAt(figures: Figures, path: string): number | undefined {
  const [first, ...rest] = path.split('.');
  const found = figures[first!];
  if (typeof found === 'number') return rest.length === 0 ? found : undefined;
  return found && figureAt(found, rest.join('.'));
}
