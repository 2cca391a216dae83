import type { Figures } from '../measure/statistics.js';
import type { RowKind } from '../scenarios/scenario.js';
import { TABLE_SHAPES } from './table-shapes.js';

/** The most telling figures of one round, on one line. */
export function progressOf(kind: RowKind, figures: Figures): string {
  return TABLE_SHAPES[kind].columns
    .map(({ heading, cell }) => ({ heading, text: cell(figures) }))
    .filter(({ heading, text }) => text !== '' && heading !== 'memory MiB')
    .map(({ heading, text }) => `${heading} ${text}`)
    .join(', ');
}
