import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Platform } from '../support/platform.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { describeWithTls, hasOpenssl, TestAuthority } from '../support/tls.js';
import { until } from '../support/until.js';
import {
  HOSTILE_RECEIVERS,
  HOSTILE_TLS_RECEIVERS,
  redirectingReceivers,
  type HostileOutcome,
  type RunningReceiver,
} from './hostile-receivers.js';
import { RawReceiver } from './raw-receiver.js';

/** Long enough that a busy machine does not turn one outcome into another. */
const DEADLINES = { connectTimeoutMs: 1_000, maxResponseTimeoutMs: 1_000 };
const DEADLINE_MS = DEADLINES.connectTimeoutMs + DEADLINES.maxResponseTimeoutMs;
const EVENTS = 2;
const HEALTHY_WITHIN_MS = 1_000;
const MEMORY_BOUND_BYTES = 64 * 1024 * 1024;

/** The canonical line of an attempt. Its `durationMs` is the time for which it held its slot. */
interface AttemptLine extends HostileOutcome {
  readonly endpoint: string;
  readonly state: string;
  readonly durationMs: number;
  readonly connection: string;
}

/**
 * A worker that delivers two events to every one of these receivers at the same time, the second while the first is
 * still on its way, and all the while to a healthy one.
 */
class HostileRun {
  private readonly endpoints: string[] = [];
  /** From a publish to its arrival at the healthy receiver. */
  readonly healthyLatenciesMs: number[] = [];
  grownBytes = 0;

  private constructor(
    private readonly platform: Platform,
    private readonly receivers: readonly RunningReceiver[],
  ) {}

  static async of(receivers: readonly RunningReceiver[]): Promise<HostileRun> {
    const platform = await Platform.create({ deadlines: DEADLINES, logLevel: 'info', concurrency: 256 });
    const run = new HostileRun(platform, receivers);
    const healthy = await RecordingReceiver.start();
    try {
      await run.deliver(healthy);
    } finally {
      await healthy.stop();
    }
    return run;
  }

  /** The attempts at the receiver that is so many in the list. */
  attemptsAt(index: number): readonly AttemptLine[] {
    return this.attempts.filter(({ endpoint }) => endpoint === this.endpoints[index]);
  }

  async stop(): Promise<void> {
    await this.platform.destroy();
    for (const receiver of this.receivers) await receiver.stop();
  }

  private get attempts(): readonly AttemptLine[] {
    return this.platform.logged.filter(
      (line) => line['msg'] === 'delivery.attempted' && line['application'] === 'hostile',
    ) as unknown as AttemptLine[];
  }

  private async deliver(healthy: RecordingReceiver): Promise<void> {
    const { platform, receivers } = this;
    await platform.addApplication('hostile', { timeout: '1s' });
    await platform.addApplication('healthy', { timeout: '1s' });
    for (const { url } of receivers) {
      this.endpoints.push(String(await platform.addEndpoint('hostile', url)));
    }
    await platform.addEndpoint('healthy', healthy.url);
    await platform.startWorker();
    await this.publishToHealthy(healthy);

    const before = memoryBytes();
    const sampling = setInterval(() => {
      this.grownBytes = Math.max(this.grownBytes, memoryBytes() - before);
    }, 5);
    for (let event = 1; event <= EVENTS; event++) {
      await platform.publish('hostile');
      await this.publishToHealthy(healthy);
    }
    await until(
      async () => {
        await this.publishToHealthy(healthy);
        return this.attempts.length >= EVENTS * receivers.length;
      },
      { timeoutMs: 10_000 },
    );
    clearInterval(sampling);
  }

  private async publishToHealthy(healthy: RecordingReceiver): Promise<void> {
    const before = healthy.received.length;
    const publishedAt = performance.now();
    await this.platform.publish('healthy');
    await until(() => healthy.received.length > before, { intervalMs: 2 });
    this.healthyLatenciesMs.push(performance.now() - publishedAt);
  }
}

function memoryBytes(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const PLAIN = [...HOSTILE_RECEIVERS, ...redirectingReceivers('')];
let inner: RawReceiver;
let authority: TestAuthority | null = null;
let run: HostileRun;

beforeAll(async () => {
  inner = await RawReceiver.start(() => {}, { host: '127.0.0.2' });
  const trusted = hasOpenssl ? await TestAuthority.trusted() : null;
  authority = trusted;
  const starting = [
    ...[...HOSTILE_RECEIVERS, ...redirectingReceivers(inner.url('/'))].map((receiver) => receiver.start()),
    ...(trusted ? HOSTILE_TLS_RECEIVERS.map((receiver) => receiver.start(trusted)) : []),
  ];
  run = await HostileRun.of(await Promise.all(starting));
});
afterAll(async () => {
  await run.stop();
  await inner.stop();
  await authority?.withdraw();
});

/** @param first the place of the first of the list among all receivers of the run */
function endInTime(
  list: readonly { readonly what: string; readonly expected: HostileOutcome }[],
  first: number,
): void {
  const placed = list.map(({ what, expected }, index) => ({ what, expected, place: first + index }));
  it.each(placed)('that $what ends in time as $expected.outcome', ({ expected, place }) => {
    const attempts = run.attemptsAt(place);
    expect(attempts).toHaveLength(EVENTS);
    for (const attempt of attempts) {
      const state = expected.outcome === 'success' ? 'delivered' : 'pending';
      expect(attempt).toMatchObject({ ...expected, state });
      expect(attempt.durationMs).toBeLessThan(DEADLINE_MS + 1_000);
    }
  });
}

describe('a receiver (TF-32; lessons: receivers that misbehave)', () => {
  endInTime(PLAIN, 0);

  it('that closes a kept-alive connection costs one repetition, and no attempt', () => {
    const place = PLAIN.findIndex(({ what }) => what.startsWith('closes a kept-alive'));
    expect(run.attemptsAt(place).map(({ connection }) => connection)).toEqual(['new', 'reused-then-new']);
  });

  it('that redirects to a private address is not followed there', () => {
    expect(inner.connectionCount).toBe(0);
  });
});

describeWithTls('a receiver over TLS (design: certificates are verified)', () => {
  endInTime(HOSTILE_TLS_RECEIVERS, PLAIN.length);
});

describe('all of them at once', () => {
  it('harm no other delivery', () => {
    expect(run.healthyLatenciesMs.length).toBeGreaterThan(10);
    expect(Math.max(...run.healthyLatenciesMs)).toBeLessThan(HEALTHY_WITHIN_MS);
  });

  it('leave the memory flat', () => {
    expect(run.grownBytes).toBeLessThan(MEMORY_BOUND_BYTES);
  });
});
