import { SECOND_MS } from '#domain/durations.js';
import { z } from 'zod';

export const CHECK_NAMES = ['database', 'schema', 'transport'] as const;
export type CheckName = (typeof CHECK_NAMES)[number];

/** Something outside the process that it works with. `run` throws when it is away. */
export interface ReadinessCheck {
  readonly name: CheckName;
  run(): Promise<void>;
}

export const readinessSchema = z
  .object({
    status: z.enum(['ready', 'degraded', 'unready']),
    role: z.string(),
    checks: z.partialRecord(z.enum(CHECK_NAMES), z.enum(['ok', 'failed'])),
  })
  .meta({
    id: 'Readiness',
    examples: [
      { status: 'degraded', role: 'ingest', checks: { database: 'ok', schema: 'ok', transport: 'failed' } },
    ],
  });

export type Readiness = z.infer<typeof readinessSchema>;

/** A probe gets its answer within this. */
const CHECK_TIMEOUT_MS = 3 * SECOND_MS;

/**
 * Whether the process can do its work. Without the database or its schema it cannot. Without the transport it
 * is degraded and still takes requests: events are accepted and delivered all the same, and a load balancer
 * that acted on it would take every process out at once.
 *
 * Probes that arrive together share one look.
 */
export class ReadinessProbe {
  private underWay: Promise<Readiness> | null = null;

  constructor(
    private readonly role: string,
    private readonly checks: readonly ReadinessCheck[],
  ) {}

  look(): Promise<Readiness> {
    this.underWay ??= this.lookNow().finally(() => (this.underWay = null));
    return this.underWay;
  }

  private async lookNow(): Promise<Readiness> {
    const results = await Promise.all(
      this.checks.map(async (check) => [check.name, (await passes(check)) ? 'ok' : 'failed'] as const),
    );
    const failed = results.filter(([, result]) => result === 'failed').map(([name]) => name);
    const unready = failed.some((name) => name !== 'transport');
    return {
      status: unready ? 'unready' : failed.length > 0 ? 'degraded' : 'ready',
      role: this.role,
      checks: Object.fromEntries(results),
    };
  }
}

async function passes(check: ReadinessCheck): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), CHECK_TIMEOUT_MS);
  });
  const run = check.run().then(
    () => true,
    () => false,
  );
  return Promise.race([run, late]).finally(() => clearTimeout(timer));
}
