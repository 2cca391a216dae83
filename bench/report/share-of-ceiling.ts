import type { Row } from '../scenarios/scenario.js';
import { figureAt } from './figure-at.js';

/** Adds to each row at full load what part it reaches of the ceiling with the same bodies and endpoints. */
export function withShareOfCeiling(rows: readonly Row[]): Row[] {
  return rows.map((row) => {
    const ceiling = rows.find(({ id }) => id === row.id.replace(/^[^/]+/, 'ceiling'));
    const limit = ceiling && figureAt(ceiling.median, 'deliveriesPerSecond');
    const reached = figureAt(row.median, 'deliveriesPerSecond');
    if (row.kind !== 'full-load' || row === ceiling || !limit || reached === undefined) return row;
    return { ...row, median: { ...row.median, shareOfCeiling: reached / limit } };
  });
}
