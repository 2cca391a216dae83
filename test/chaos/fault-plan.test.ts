import { describe, expect, it } from '@jest/globals';
import { FAULT_KINDS, type FaultKind, planFaults, type PlanOptions } from './fault-plan.js';

const options: PlanOptions = {
  seed: 7,
  lengthMs: 60_000,
  meanGapMs: 3_000,
  durationsMs: Object.fromEntries(FAULT_KINDS.map((kind) => [kind, [1_000, 2_000]])) as unknown as Record<
    FaultKind,
    [number, number]
  >,
};

describe('planFaults', () => {
  it('is repeated by its seed, and by no other', () => {
    expect(planFaults(options)).toEqual(planFaults(options));
    expect(planFaults({ ...options, seed: 8 })).not.toEqual(planFaults(options));
  });

  it('has every kind before any comes again, in order and within the length', () => {
    const faults = planFaults(options);
    expect(new Set(faults.slice(0, FAULT_KINDS.length).map(({ kind }) => kind)).size).toBe(
      FAULT_KINDS.length,
    );
    expect(faults.map(({ atMs }) => atMs)).toEqual(faults.map(({ atMs }) => atMs).sort((a, b) => a - b));
    for (const { atMs, durationMs } of faults) {
      expect(atMs).toBeLessThan(60_000);
      expect(durationMs).toBeGreaterThanOrEqual(1_000);
      expect(durationMs).toBeLessThan(2_000);
    }
  });
});
