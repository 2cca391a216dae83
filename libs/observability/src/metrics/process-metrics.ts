import { collectDefaultMetrics, Gauge, Registry } from 'prom-client';

export interface ProcessIdentity {
  readonly role: string;
  /** Of the package. */
  readonly version: string;
  /** Of the source it was built from; `unknown` where nobody said. */
  readonly revision: string;
}

/**
 * The registry of a process, with what prom-client tells of every Node process, under its usual names, and which
 * build this is. A registry of its own, not the global one, so that one Node process may hold several.
 */
export function createProcessRegistry({ role, version, revision }: ProcessIdentity): Registry {
  const registry = new Registry();
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: 'entrega_build_info',
    help: '1; which build runs in which role.',
    labelNames: ['version', 'revision', 'role'],
    registers: [registry],
  }).set({ version, revision, role }, 1);
  return registry;
}
