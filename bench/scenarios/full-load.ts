import { type BodySize, BODY_SIZES } from '../rounds/event-bodies.js';

/** What a row at full load varies; the ceiling has the same ones as the pipeline. */
export interface FullLoad {
  /** In the row's id, after its scenario. */
  readonly row: string;
  readonly size: BodySize;
  readonly endpoints: 1 | 100;
  /** In a row's title. */
  readonly title: string;
}

export const FULL_LOADS: readonly FullLoad[] = [
  { row: '0.4KB/1', size: BODY_SIZES.small, endpoints: 1, title: '0.4 KB, 1 endpoint' },
  { row: '0.4KB/100', size: BODY_SIZES.small, endpoints: 100, title: '0.4 KB, 100 endpoints' },
  { row: '8KB/1', size: BODY_SIZES.large, endpoints: 1, title: '8 KB, 1 endpoint' },
  { row: '8KB/100', size: BODY_SIZES.large, endpoints: 100, title: '8 KB, 100 endpoints' },
];
