import { describe, expect, it } from '@jest/globals';
import { type CheckName, type ReadinessCheck, ReadinessProbe } from './readiness.js';

const passing = (name: CheckName): ReadinessCheck => ({ name, run: () => Promise.resolve() });
const failing = (name: CheckName): ReadinessCheck => ({ name, run: () => Promise.reject(new Error('away')) });

describe('ReadinessProbe', () => {
  it.each([
    ['ready', [passing('database'), passing('schema'), passing('transport')]],
    ['degraded', [passing('database'), passing('schema'), failing('transport')]],
    ['unready', [failing('database'), passing('schema'), passing('transport')]],
    ['unready', [passing('database'), failing('schema'), failing('transport')]],
  ] as const)('is %s', async (status, checks) => {
    expect((await new ReadinessProbe('worker', checks).look()).status).toBe(status);
  });

  it('looks once for probes that come together, and again for the next', async () => {
    let looks = 0;
    const counting: ReadinessCheck = { name: 'database', run: async () => void (looks += 1) };
    const probe = new ReadinessProbe('worker', [counting]);
    await Promise.all([probe.look(), probe.look()]);
    expect(looks).toBe(1);
    await probe.look();
    expect(looks).toBe(2);
  });
});
