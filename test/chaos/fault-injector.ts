import { setTimeout as sleep } from 'node:timers/promises';
import type { ChaosApplication } from './applications.js';
import { type ChaosReceivers, GARBAGE } from './chaos-receivers.js';
import type { FaultKind, PlannedFault } from './fault-plan.js';
import type { PlatformCluster } from './platform-cluster.js';
import type { RoleProcess } from './role-process.js';

/** A fault as it happened; times by the monotonic clock of this process. */
export interface InjectedFault {
  readonly kind: FaultKind;
  readonly target: string;
  readonly beganAtMs: number;
  endedAtMs: number;
}

export interface FaultInjectorOptions {
  readonly cluster: PlatformCluster;
  readonly receivers: ChaosReceivers;
  readonly applications: readonly ChaosApplication[];
  readonly say: (line: string) => void;
}

/**
 * Makes planned faults happen. Two never have the same target at once, and no process is started while PostgreSQL
 * is away, for it would end again, as one does whose supervisor starts it too early: those wait for each other. All
 * else overlaps as it comes.
 */
export class FaultInjector {
  readonly faults: InjectedFault[] = [];
  /** Endpoints that were revoked, and when their applications had none; by application. */
  readonly withoutEndpoint = new Map<string, { fromMs: number; toMs: number }[]>();
  private readonly busy = new Map<string, Promise<void>>();
  private readonly running = new Set<Promise<void>>();
  private failure: Error | undefined;

  constructor(private readonly options: FaultInjectorOptions) {}

  /** Faults under way, in words. */
  get present(): string {
    return this.faults
      .filter(({ endedAtMs }) => endedAtMs === Infinity)
      .map(({ kind, target }) => `${kind} ${target}`)
      .join(', ');
  }

  /** Runs the plan from now on and resolves when its last fault is over. Throws when one could not be ended. */
  async run(plan: readonly PlannedFault[]): Promise<void> {
    const beganAt = performance.now();
    for (const fault of plan) {
      await sleep(Math.max(0, fault.atMs - (performance.now() - beganAt)));
      if (this.failure !== undefined) break;
      const work = this.inject(fault)
        .catch((error: Error) => void (this.failure ??= error))
        .finally(() => this.running.delete(work));
      this.running.add(work);
    }
    await Promise.all(this.running);
    if (this.failure !== undefined) throw this.failure;
  }

  private inject(fault: PlannedFault): Promise<void> {
    const { cluster, receivers, applications } = this.options;
    const { kind, durationMs } = fault;
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(fault.target * items.length)]!;
    const application = (manner: ChaosApplication['manner']) =>
      pick(applications.filter((candidate) => candidate.manner === manner)).id;
    switch (kind) {
      case 'kill-worker':
      case 'kill-ingest':
        return this.kill(kind, pick(cluster.of(kind === 'kill-worker' ? 'worker' : 'ingest')), durationMs);
      case 'pause-worker':
      case 'pause-ingest':
        return this.pause(kind, pick(cluster.of(kind === 'pause-worker' ? 'worker' : 'ingest')), durationMs);
      case 'stop-kafka': {
        const how = pick(['stop', 'kill', 'pause'] as const);
        return this.during('kafka', kind, `(${how})`, async () => {
          await cluster.kafka[how]();
          await sleep(durationMs);
          await (how === 'pause' ? cluster.kafka.resume() : cluster.kafka.start());
        });
      }
      case 'restart-postgres':
      case 'crash-postgres':
        return this.during('postgres', kind, '', async () => {
          await (kind === 'crash-postgres' ? cluster.postgres.crash() : cluster.postgres.stop());
          await sleep(durationMs);
          await cluster.postgres.start();
        });
      case 'revoke':
        return this.revoke(application('revocable'), durationMs);
      case 'repair':
        return this.repair(application('refusing'), durationMs);
      case 'garbage': {
        const id = application('steady');
        const garbage = GARBAGE[Math.floor(fault.target * 1_000) % GARBAGE.length]!;
        return this.during(`receiver ${id}`, kind, `${id} (${garbage})`, async () => {
          receivers.setGarbage(id, garbage);
          await sleep(durationMs);
          receivers.setGarbage(id, null);
        });
      }
    }
  }

  private kill(kind: FaultKind, process: RoleProcess, awayMs: number): Promise<void> {
    return this.alone(process.name, async () => {
      const fault = this.begin(kind, process.name);
      await process.end('SIGKILL');
      fault.endedAtMs = performance.now();
      await sleep(awayMs);
      await this.alone('postgres', () => process.start());
    });
  }

  private pause(kind: FaultKind, process: RoleProcess, pausedMs: number): Promise<void> {
    return this.during(process.name, kind, process.name, async () => {
      process.pause();
      await sleep(pausedMs);
      process.resume();
    });
  }

  private revoke(application: string, awayMs: number): Promise<void> {
    const { cluster } = this.options;
    const path = `/v1/applications/${application}/webhook`;
    return this.during(`endpoint ${application}`, 'revoke', application, async () => {
      const gap = { fromMs: performance.now(), toMs: Infinity };
      const gaps = this.withoutEndpoint.get(application);
      if (gaps) gaps.push(gap);
      else this.withoutEndpoint.set(application, [gap]);
      // Without an answer it may have happened all the same, and the second time there is nothing to revoke.
      await cluster.callUntilDone('DELETE', path).catch((error: Error) => {
        if (!error.message.includes('answered 404')) throw error;
      });
      await sleep(awayMs);
      await this.register(application);
      gap.toMs = performance.now();
    });
  }

  /** The receiver is mended: it is registered again, what it missed is replayed; then it breaks again. */
  private repair(application: string, healedMs: number): Promise<void> {
    const { cluster, receivers } = this.options;
    return this.during(`endpoint ${application}`, 'repair', application, async () => {
      receivers.setHealed(application, true);
      const endpoint = await this.register(application);
      await cluster.callUntilDone('POST', `/v1/endpoints/${endpoint}/replay`, {
        since: new Date(Date.now() - 3_600_000).toISOString(),
        states: ['suppressed'],
      });
      await cluster.callUntilDone('POST', '/v1/dead-letters/redeliver', { application });
      await sleep(healedMs);
      receivers.setHealed(application, false);
    });
  }

  private async register(application: string): Promise<string> {
    const { cluster, receivers } = this.options;
    const answer = await cluster.callUntilDone('PUT', `/v1/applications/${application}/webhook`, {
      url: receivers.urlOf(application),
      credentials: { token: 'token' },
    });
    return String(answer.body['id']);
  }

  private during(key: string, kind: FaultKind, target: string, work: () => Promise<void>): Promise<void> {
    return this.alone(key, async () => {
      const fault = this.begin(kind, target);
      await work();
      fault.endedAtMs = performance.now();
    });
  }

  private begin(kind: FaultKind, target: string): InjectedFault {
    const fault = { kind, target, beganAtMs: performance.now(), endedAtMs: Infinity };
    this.faults.push(fault);
    this.options.say(`fault: ${kind} ${target}`);
    return fault;
  }

  /** One after the other for the same key, in the order of the calls. */
  private alone(key: string, work: () => Promise<void>): Promise<void> {
    const turn = (this.busy.get(key) ?? Promise.resolve()).then(work);
    this.busy.set(
      key,
      turn.catch(() => undefined),
    );
    return turn;
  }
}
