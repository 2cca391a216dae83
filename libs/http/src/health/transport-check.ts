import type { ReadinessCheck } from './readiness.js';

/** That the transport is there. Without it the process is degraded, not unready. */
export function transportCheck(isThere: () => boolean): ReadinessCheck {
  return {
    name: 'transport',
    run: async () => {
      if (!isThere()) throw new Error('The transport is away.');
    },
  };
}
