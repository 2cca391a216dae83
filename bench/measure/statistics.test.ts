import { expect, it } from '@jest/globals';
import { medianFigures, medianOf, percentilesOf } from './statistics.js';

it('gives percentiles that were measured, by nearest rank', () => {
  const values = Float64Array.from({ length: 200 }, (_, index) => 200 - index);
  expect(percentilesOf(values)).toEqual({ p50: 100, p95: 190, p99: 198, max: 200 });
  expect(percentilesOf(Float64Array.of(7))).toEqual({ p50: 7, p95: 7, p99: 7, max: 7 });
});

it('takes the middle of an odd count and the mean of the two in the middle of an even one', () => {
  expect(medianOf([9, 100, 1])).toBe(9);
  expect(medianOf([4, 1, 3, 100])).toBe(3.5);
});

it('takes the median of each figure by itself, however deep it lies', () => {
  const rounds = [
    { perSecond: 10, cpu: { ours: 3, total: 30 } },
    { perSecond: 30, cpu: { ours: 1, total: 20 } },
    { perSecond: 20, cpu: { ours: 2, total: 10 } },
  ];
  expect(medianFigures(rounds)).toEqual({ perSecond: 20, cpu: { ours: 2, total: 20 } });
});

it('has no answer to nothing', () => {
  expect(() => medianFigures([])).toThrow();
  expect(() => medianOf([])).toThrow();
  expect(() => percentilesOf(new Float64Array())).toThrow();
});
