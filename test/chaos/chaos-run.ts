import { KafkaBystander } from '../support/kafka-topics.js';
import { until } from '../support/until.js';
import { APPLICATIONS } from './applications.js';
import { ChaosReceivers } from './chaos-receivers.js';
import { EventLoad } from './event-load.js';
import { FaultInjector, type InjectedFault } from './fault-injector.js';
import { planFaults, type PlanOptions } from './fault-plan.js';
import { PlatformCluster } from './platform-cluster.js';
import { queryOnce } from './restartable-postgres.js';
import { SeededRandom } from './seeded-random.js';
import { judge, type Verdict } from './verdict.js';

/** A lease of 7.5 s: times in which a process is paused are longer. */
const DEADLINES = { connectTimeoutMs: 500, maxResponseTimeoutMs: 2_000 };
const WORKER_CONCURRENCY = 64;
const PROGRESS_EVERY_MS = 5_000;
/** After the load: every event accepted, every delivery at its end. */
const ACCEPT_LIMIT_MS = 60_000;
const SETTLE_LIMIT_MS = 120_000;
const ANNOUNCE_LIMIT_MS = 30_000;

export interface ChaosOptions extends Omit<PlanOptions, 'seed' | 'lengthMs'> {
  readonly seed: number;
  /** How long events are published. Faults begin within it, but for its last two seconds. */
  readonly loadMs: number;
  readonly eventsPerSecond: number;
  readonly say: (line: string) => void;
}

export interface ChaosResult {
  readonly seconds: number;
  readonly faults: readonly InjectedFault[];
  readonly verdict: Verdict;
  readonly repeatedPublishes: number;
  readonly deadLetters: number;
  readonly memory: readonly { readonly name: string; readonly rssKb: number; readonly peakKb: number }[];
  /** Everything that must not be, in words; the run has held when there is none. */
  readonly objections: readonly string[];
}

/** One run of the plug-pulling suite, from nothing to nothing. */
export async function runChaos(options: ChaosOptions): Promise<ChaosResult> {
  const { say } = options;
  const beganAt = performance.now();
  say('Starting Kafka, PostgreSQL, ingest ×2, worker ×2 and admin …');
  const receivers = await ChaosReceivers.start(APPLICATIONS);
  let cluster: PlatformCluster | undefined;
  try {
    cluster = await PlatformCluster.start({
      deadlines: DEADLINES,
      workerConcurrency: WORKER_CONCURRENCY,
      counts: { ingest: 2, worker: 2, admin: 1 },
    });
    for (const process of cluster.processes) await process.untilReadiness('ready', 30_000);
    say(`Ready after ${seconds(performance.now() - beganAt)}.`);
    return await pullPlugs(cluster, receivers, options);
  } finally {
    await cluster?.remove();
    await receivers.stop();
  }
}

async function pullPlugs(
  cluster: PlatformCluster,
  receivers: ChaosReceivers,
  options: ChaosOptions,
): Promise<ChaosResult> {
  const { seed, loadMs, eventsPerSecond, say } = options;
  await register(cluster, receivers);
  const random = new SeededRandom(seed + 1);
  const load = new EventLoad({ cluster, applications: APPLICATIONS, random, perSecond: eventsPerSecond });
  const injector = new FaultInjector({ cluster, receivers, applications: APPLICATIONS, say });
  const fromMs = performance.now();
  const progress = setInterval(() => {
    for (const process of cluster.processes) process.sampleMemory();
    const { accepted, waiting } = load;
    const present = injector.present === '' ? '' : `, now: ${injector.present}`;
    say(
      `${seconds(performance.now() - fromMs)}: ${accepted.length} events accepted, ${waiting} open, ` +
        `${receivers.acknowledged} receipts acknowledged, ${injector.faults.length} faults${present}`,
    );
  }, PROGRESS_EVERY_MS);
  const objections: string[] = [];
  let toMs: number;
  try {
    load.start();
    const plan = planFaults({ ...options, lengthMs: loadMs - 2_000 });
    const loadOver = new Promise((resolve) => setTimeout(resolve, loadMs));
    await Promise.all([note(objections, () => injector.run(plan)), loadOver]);
    toMs = performance.now();
    await load.stop();
    say(`${seconds(toMs - fromMs)}: the load is over; what is open comes to its end.`);
    await note(objections, () =>
      until(() => load.waiting === 0, { timeoutMs: ACCEPT_LIMIT_MS, describe: 'every event to be accepted' }),
    );
    await load.end();
    await note(objections, () => allSettled(cluster, load));
  } finally {
    clearInterval(progress);
    await load.end();
  }
  const verdict = await judge({
    databaseUrl: cluster.postgres.url,
    applications: APPLICATIONS,
    accepted: load.accepted,
    receivers,
    faults: injector.faults,
    withoutEndpoint: injector.withoutEndpoint,
    workerConcurrency: WORKER_CONCURRENCY,
    load: { fromMs, toMs },
  });
  let deadLetters = 0;
  await note(objections, async () => {
    deadLetters = await announcedDeadLetters(cluster);
  });
  objections.push(
    ...verdict.lost,
    ...verdict.beyondBound,
    ...verdict.unexplained.map((repeat) => `repeated without a fault: ${repeat}`),
    ...load.unexpected,
    ...complaintsOf(cluster),
    ...(receivers.strangers > 0 ? [`${receivers.strangers} requests that are none of ours`] : []),
  );
  const memory = cluster.processes.map((process) => ({
    name: process.name,
    rssKb: process.sampleMemory(),
    peakKb: process.peakRssKb,
  }));
  const { faults } = injector;
  const { repeatedPublishes } = load;
  const took = Math.round((toMs - fromMs) / 1_000);
  return { seconds: took, faults, verdict, repeatedPublishes, deadLetters, memory, objections };
}

async function register(cluster: PlatformCluster, receivers: ChaosReceivers): Promise<void> {
  for (const { id, settings } of APPLICATIONS) {
    await cluster.callUntilDone('PUT', `/v1/applications/${id}`, {
      name: id,
      contract: 'tf-fiscal',
      settings,
    });
    await cluster.callUntilDone('PUT', `/v1/applications/${id}/webhook`, {
      url: receivers.urlOf(id),
      credentials: { token: 'token' },
    });
  }
}

/** Every accepted event has arrived in the database, and nothing is pending or being replayed any more. */
async function allSettled(cluster: PlatformCluster, load: EventLoad): Promise<void> {
  const overKafka = load.accepted.filter(({ via }) => via === 'kafka').map(({ id }) => id);
  let last = '';
  await until(
    async () => {
      const [counts] = await queryOnce<{ arrived: number; pending: number; replays: number }>(
        cluster.postgres.url,
        `SELECT (SELECT count(*) FROM events WHERE public_id = ANY ($1))::int AS arrived,
                (SELECT count(*) FROM deliveries WHERE state = 'pending')::int AS pending,
                (SELECT count(*) FROM replays WHERE state = 'running')::int AS replays`,
        [overKafka],
      );
      last = JSON.stringify({ sent: overKafka.length, ...counts });
      return counts!.arrived === overKafka.length && counts!.pending === 0 && counts!.replays === 0;
    },
    { timeoutMs: SETTLE_LIMIT_MS, intervalMs: 500 },
  ).catch((cause: unknown) => {
    throw new Error(`Not everything came to its end in ${SETTLE_LIMIT_MS} ms: ${last}`, { cause });
  });
}

/** Waits until each delivery that is dead was announced on the topic for those, and returns how many there are. */
async function announcedDeadLetters(cluster: PlatformCluster): Promise<number> {
  const rows = await queryOnce<{ id: string }>(
    cluster.postgres.url,
    `SELECT id::text AS id FROM deliveries WHERE state = 'dead'`,
  );
  const missing = new Set(rows.map(({ id }) => id));
  if (missing.size === 0) return 0;
  const bystander = new KafkaBystander(cluster.kafka.brokers);
  try {
    const read = await bystander.read([`${cluster.topicPrefix}dead-letters.v1`]);
    await until(
      () => {
        for (const { message } of read.splice(0)) {
          const { delivery } = JSON.parse(String(message.value)) as { delivery: string };
          missing.delete(delivery);
        }
        return missing.size === 0;
      },
      { timeoutMs: ANNOUNCE_LIMIT_MS, intervalMs: 100 },
    ).catch((cause: unknown) => {
      throw new Error(`${missing.size} of ${rows.length} dead letters were not announced.`, { cause });
    });
  } finally {
    await bystander.leave();
  }
  return rows.length;
}

/** What processes log at level error because of an outage or of starvation. Everything else at that level is an objection. */
const TOLERATED_ERRORS: ReadonlySet<string> = new Set([
  'results.not-written',
  'sweep.failed',
  'loop.failed',
  'partitions.not-made',
  'partitions.not-dropped',
  'rejections.not-trimmed',
  // Where the machine is so busy that receivers, which share it, answer late: that is what it is for.
  'own-failures.suspected',
]);

function complaintsOf(cluster: PlatformCluster): string[] {
  return cluster.processes.flatMap((process) => {
    const { name, stderr, lines, unaskedEnds } = process;
    const errors = lines.filter(
      ({ level, msg }) => (level === 'error' || level === 'fatal') && !TOLERATED_ERRORS.has(msg),
    );
    return [
      ...unaskedEnds,
      ...(stderr === '' ? [] : [`${name} says: ${stderr.slice(0, 2_000)}`]),
      ...errors.slice(0, 5).map((line) => `${name} logs: ${JSON.stringify(line).slice(0, 1_000)}`),
    ];
  });
}

async function note(objections: string[], work: () => Promise<unknown>): Promise<void> {
  try {
    await work();
  } catch (error) {
    objections.push(error instanceof Error ? error.message : String(error));
  }
}

export function seconds(milliseconds: number): string {
  return `${(milliseconds / 1_000).toFixed(1)} s`;
}
