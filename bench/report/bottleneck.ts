import type { Row } from '../scenarios/scenario.js';
import { figureAt } from './figure-at.js';
import { format } from './table-shapes.js';

/** Beyond that the loader or the receiver would be measured, not the product. */
const MOST_OF_A_CORE = 0.7;
const LEAST_HEADROOM = 1.5;

export interface BottleneckCheck {
  /** True while neither loader nor receiver limits any row; null when no row tells. */
  readonly clear: boolean | null;
  readonly says: readonly string[];
}

/** Do loader and receiver, which are ours as well, leave the product to be the limit? */
export function checkBottleneck(rows: readonly Row[]): BottleneckCheck {
  const pipeline = rows.filter(({ id, kind }) => kind === 'full-load' && !id.startsWith('ceiling/'));
  if (pipeline.length === 0) return { clear: null, says: [] };
  const largest = (figure: string) =>
    Math.max(...pipeline.map(({ median }) => figureAt(median, figure) ?? 0));
  const [loader, receiver] = [largest('cores.loader'), largest('cores.receiver')];
  const says = [
    `The loader used at most ${format(loader, 2)} and the receiver ${format(receiver, 2)} of a core.`,
  ];
  let clear = Math.max(loader, receiver) <= MOST_OF_A_CORE;
  const bare = rows.find(({ id }) => id === 'ceiling/bare');
  const reach = bare && figureAt(bare.median, 'deliveriesPerSecond');
  if (reach !== undefined) {
    const headroom = reach / largest('deliveriesPerSecond');
    clear &&= headroom >= LEAST_HEADROOM;
    says.push(
      `With nothing between them they reach ${format(reach, 0)}/s, ${format(headroom, 1)} times the fastest row.`,
    );
  }
  return { clear, says: [...says, clear ? 'Neither is the limit.' : 'THEY MAY BE THE LIMIT.'] };
}
