import type { ChaosApplication } from './applications.js';
import type { ChaosReceivers, Receipt } from './chaos-receivers.js';
import type { AcceptedEvent } from './event-load.js';
import type { FaultKind } from './fault-plan.js';
import type { InjectedFault } from './fault-injector.js';
import { queryOnce } from './restartable-postgres.js';

/** Workers that a fault can take results from, by its kind; what is not here may repeat nothing at all. */
const WORKERS_HIT: Partial<Readonly<Record<FaultKind, number>>> = {
  'kill-worker': 1,
  'pause-worker': 1,
  'restart-postgres': 2,
  'crash-postgres': 2,
};
/** Before a fault: within this an attempt that was acknowledged is durable, on a machine that has other work too. */
const IN_FLIGHT_MS = 2_000;
/** After it: the results in hand are written, or their deliveries taken by another. */
const RECOVERY_MS = 2_000;
/** Results that a worker writes at once (`ResultWriter`): a batch under way and one that gathers. */
const RESULTS_IN_HAND = 2 * 200;

const MAX_EXAMPLES = 10;

interface DeliveryRow {
  readonly application: string;
  readonly event: string;
  readonly delivery: number | null;
  readonly state: string | null;
  readonly endpointState: string | null;
}

export interface Verdict {
  readonly events: number;
  readonly deliveriesByState: Readonly<Record<string, number>>;
  /** Accepted events of which something is missing, in words; the first of them. */
  readonly lost: readonly string[];
  readonly lostCount: number;
  /** Acknowledged receipts that came after an earlier acknowledged one of the same event. */
  readonly repeats: number;
  readonly repeatsByFault: ReadonlyMap<InjectedFault, number>;
  /** Acknowledged too late for the worker, which took it for a timeout, by its own log of attempts. */
  readonly lateAnswers: number;
  /** More than one fault can have had in flight. */
  readonly beyondBound: readonly string[];
  /** The most that one fault may repeat for each worker that it hits. */
  readonly boundPerWorker: number;
  /** Repeats that no fault explains, in words; the first of them. */
  readonly unexplained: readonly string[];
  readonly unexplainedCount: number;
  readonly longestGap: { readonly ms: number; readonly application: string; readonly fromMs: number } | null;
}

export interface VerdictOptions {
  readonly databaseUrl: string;
  readonly applications: readonly ChaosApplication[];
  readonly accepted: readonly AcceptedEvent[];
  readonly receivers: ChaosReceivers;
  readonly faults: readonly InjectedFault[];
  readonly withoutEndpoint: ReadonlyMap<string, readonly { fromMs: number; toMs: number }[]>;
  readonly workerConcurrency: number;
  /** When the load ran: gaps are looked for within. */
  readonly load: { readonly fromMs: number; readonly toMs: number };
}

/** Compares what was promised with what the database holds and what the receivers got. */
export async function judge(options: VerdictOptions): Promise<Verdict> {
  const { databaseUrl, applications, accepted, receivers, faults, workerConcurrency, load } = options;
  const rows = await queryOnce<DeliveryRow>(
    databaseUrl,
    `SELECT v.application_id AS application, v.public_id AS event, d.id AS delivery, d.state,
            e.state AS "endpointState"
       FROM events v
       LEFT JOIN deliveries d ON d.event_id = v.id
       LEFT JOIN endpoints e ON e.id = d.endpoint_id`,
  );
  const byEvent = Map.groupBy(rows, ({ application, event }) => `${application}/${event}`);
  const manners = new Map(applications.map(({ id, manner }) => [id, manner]));
  const lost: string[] = [];
  for (const event of accepted) {
    const manner = manners.get(event.application)!;
    const receipts = receivers.receipts.get(event.application)!.get(event.id) ?? [];
    const found = byEvent.get(`${event.application}/${event.id}`) ?? [];
    const reason = whyLost(
      event,
      manner,
      found,
      receipts,
      options.withoutEndpoint.get(event.application) ?? [],
    );
    if (reason !== null) lost.push(`${event.application}/${event.id} (over ${event.via}): ${reason}`);
  }
  const failures = await queryOnce<{ event: string; failed: number }>(
    databaseUrl,
    `SELECT v.application_id || '/' || v.public_id AS event, count(*)::int AS failed
       FROM attempts a JOIN deliveries d ON d.id = a.delivery_id JOIN events v ON v.id = d.event_id
      WHERE a.outcome IN ('timeout', 'connect') AND NOT a.superseded
      GROUP BY v.application_id, v.public_id`,
  );
  const unanswered = new Map(failures.map(({ event, failed }) => [event, failed]));
  const repeats = explainRepeats(receivers, faults, unanswered);
  const boundPerWorker = workerConcurrency + RESULTS_IN_HAND;
  const beyondBound = [...repeats.byFault].flatMap(([fault, count]) => {
    const bound = (WORKERS_HIT[fault.kind] ?? 0) * boundPerWorker;
    return count > bound ? [`${fault.kind} ${fault.target}: ${count} repeats, ${bound} at most`] : [];
  });
  return {
    events: accepted.length,
    deliveriesByState: countBy(rows.flatMap(({ state }) => (state === null ? [] : [state]))),
    lost: lost.slice(0, MAX_EXAMPLES),
    lostCount: lost.length,
    repeats: repeats.count,
    repeatsByFault: repeats.byFault,
    lateAnswers: repeats.lateAnswers,
    beyondBound,
    boundPerWorker,
    unexplained: repeats.unexplained.slice(0, MAX_EXAMPLES),
    unexplainedCount: repeats.unexplained.length,
    longestGap: longestGap(applications, receivers, load),
  };
}

/** Null for an event of which nothing is missing. */
function whyLost(
  event: AcceptedEvent,
  manner: ChaosApplication['manner'],
  rows: readonly DeliveryRow[],
  receipts: readonly Receipt[],
  gaps: readonly { fromMs: number; toMs: number }[],
): string | null {
  const [row, ...others] = rows;
  if (!row) return 'it is not there';
  if (others.length > 0) return `it has ${rows.length} deliveries`;
  const acknowledged = receipts.some((receipt) => receipt.acknowledged);
  switch (row.state) {
    case null: {
      const hadNoEndpoint = gaps.some(
        ({ fromMs, toMs }) => event.begunAtMs <= toMs && fromMs <= event.acceptedAtMs,
      );
      // What came over Kafka is accepted by the broker, and meets the endpoints of a later time.
      const later = event.via === 'kafka' && gaps.some(({ fromMs }) => fromMs >= event.begunAtMs);
      return hadNoEndpoint || later ? null : 'it has no delivery';
    }
    case 'delivered':
      return acknowledged ? null : 'it is called delivered, and no receiver acknowledged it';
    case 'canceled':
      return row.endpointState === 'revoked' ? null : 'it was canceled, and its endpoint is not revoked';
    case 'dead':
    case 'suppressed':
      return manner === 'refusing' || manner === 'hanging' ? null : `its delivery is ${row.state}`;
    default:
      return `its delivery is ${row.state}`;
  }
}

/**
 * A repeat is an acknowledged receipt after an acknowledged one. It is explained when the first of the two was in
 * flight at a fault that takes results from workers: acknowledged, and not yet durable. Beside faults there is one
 * other reason: the acknowledgement came after the timeout, and then the worker's own log has a failed attempt.
 */
function explainRepeats(
  receivers: ChaosReceivers,
  faults: readonly InjectedFault[],
  unanswered: ReadonlyMap<string, number>,
) {
  const candidates = faults.filter(({ kind }) => WORKERS_HIT[kind] !== undefined);
  const byFault = new Map<InjectedFault, number>();
  const unexplained: string[] = [];
  let count = 0;
  let lateAnswers = 0;
  for (const [application, events] of receivers.receipts) {
    for (const [event, receipts] of events) {
      const acknowledged = receipts.filter((receipt) => receipt.acknowledged);
      for (const [index, first] of acknowledged.slice(0, -1).entries()) {
        count++;
        const fault = candidates.find(
          ({ beganAtMs, endedAtMs }) =>
            beganAtMs - IN_FLIGHT_MS <= first.atMs && first.atMs <= endedAtMs + RECOVERY_MS,
        );
        const again = acknowledged[index + 1]!;
        if (fault) byFault.set(fault, (byFault.get(fault) ?? 0) + 1);
        else if (index < (unanswered.get(`${application}/${event}`) ?? 0)) lateAnswers++;
        else
          unexplained.push(
            `${application}/${event}: acknowledged at ${Math.round(first.atMs)} ms and ${Math.round(again.atMs - first.atMs)} ms later again`,
          );
      }
    }
  }
  return { count, byFault, lateAnswers, unexplained };
}

function longestGap(
  applications: readonly ChaosApplication[],
  receivers: ChaosReceivers,
  load: VerdictOptions['load'],
): Verdict['longestGap'] {
  let longest: Verdict['longestGap'] = null;
  for (const { id } of applications.filter(({ manner }) => manner === 'steady')) {
    const times = [...receivers.receipts.get(id)!.values()]
      .flat()
      .map(({ atMs }) => atMs)
      .filter((atMs) => atMs <= load.toMs)
      .sort((a, b) => a - b);
    let fromMs = load.fromMs;
    for (const atMs of [...times, load.toMs]) {
      if (longest === null || atMs - fromMs > longest.ms)
        longest = { ms: atMs - fromMs, application: id, fromMs };
      fromMs = atMs;
    }
  }
  return longest;
}

export function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}
