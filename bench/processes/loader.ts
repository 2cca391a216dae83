/*
 * Publishes events, in a process of its own: at full pace, bounded by what has been delivered, or at fixed times.
 */
import { connect } from 'node:net';
import { monotonicMs } from '../measure/monotonic.js';
import type { Load, LoaderCommand, LoaderReport, Publications } from './loader-messages.js';
import { type PublishAnswer, PublishConnection } from './publish-connection.js';
import { PublishRequest } from './publish-request.js';

/** Beyond that an open load finds no server behind it, and the round fails. */
const MAX_CONNECTIONS = 2_000;

const say = (report: LoaderReport) => process.send!(report);

class Publishing {
  private readonly owedAtMs: Float64Array;
  private readonly sentAtMs: Float64Array;
  private readonly answeredAtMs: Float64Array;
  private readonly refused: Record<number, number> = {};
  private firstRefusal: string | null = null;
  private readonly requests: readonly PublishRequest[];
  private readonly idle: PublishConnection[] = [];
  private readonly connections: PublishConnection[] = [];
  /** The place of the first event in the request that a connection is waiting for. */
  private readonly inFlight = new Map<PublishConnection, { place: number; events: number }>();
  private requestsSent = 0;
  /** Events. */
  private sent = 0;
  private answered = 0;
  private delivered = 0;
  private readonly done = Promise.withResolvers<Publications>();

  constructor(private readonly load: Load) {
    this.owedAtMs = new Float64Array(load.events);
    this.sentAtMs = new Float64Array(load.events);
    this.answeredAtMs = new Float64Array(load.events);
    this.requests = load.bodies.map((body) => new PublishRequest(load, body));
  }

  run(): Promise<Publications> {
    const { pace } = this.load;
    if (pace.kind === 'full') this.runFull(pace);
    else this.runAtRate(pace.eventsPerSecond);
    return this.done.promise.finally(() => this.connections.forEach((connection) => connection.end()));
  }

  private runFull(pace: Extract<Load['pace'], { kind: 'full' }>): void {
    for (let index = 0; index < pace.connections; index++) this.idle.push(this.openConnection());
    if (pace.countPort !== null) {
      const counts = connect({ port: pace.countPort, host: '127.0.0.1' });
      counts.on('error', (error) => this.done.reject(error));
      counts.on('data', (bytes) => {
        this.delivered = bytes.readUInt32BE(bytes.length - 4);
        this.sendWhatMay(pace);
      });
      this.done.promise.catch(() => undefined).finally(() => counts.destroy());
    }
    this.sendWhatMay(pace);
  }

  private sendWhatMay(pace: Extract<Load['pace'], { kind: 'full' }>): void {
    while (this.idle.length > 0 && this.sent < this.load.events) {
      const undelivered = this.sent * pace.deliveriesPerEvent - this.delivered;
      if (pace.countPort !== null && undelivered >= pace.maxUndelivered) return;
      const now = monotonicMs();
      this.sendNext(this.idle.pop()!, now, now);
    }
  }

  private runAtRate(eventsPerSecond: number): void {
    const gapMs = 1_000 / eventsPerSecond;
    const startedAtMs = monotonicMs() + gapMs;
    const sendOwed = () => {
      const now = monotonicMs();
      while (this.sent < this.load.events && startedAtMs + this.sent * gapMs <= now) {
        this.sendNext(
          this.idle.pop() ?? this.openConnection(),
          startedAtMs + this.sent * gapMs,
          monotonicMs(),
        );
      }
      if (this.sent < this.load.events)
        setTimeout(sendOwed, Math.max(0, startedAtMs + this.sent * gapMs - monotonicMs()));
    };
    sendOwed();
  }

  private sendNext(connection: PublishConnection, owedAtMs: number, sentAtMs: number): void {
    const request = this.requests[this.requestsSent++ % this.requests.length]!;
    const place = this.sent;
    this.owedAtMs.fill(owedAtMs, place, place + request.events);
    this.sentAtMs.fill(sentAtMs, place, place + request.events);
    this.sent += request.events;
    this.inFlight.set(connection, { place, events: request.events });
    connection.send(request.bytes(this.load.round, place));
  }

  private openConnection(): PublishConnection {
    if (this.connections.length === MAX_CONNECTIONS) throw new Error('The server does not keep up at all.');
    const { hostname, port } = new URL(this.load.origin);
    const connection = new PublishConnection(
      Number(port),
      hostname,
      (answering, answer) => this.take(answering, answer),
      (error) => this.done.reject(error),
    );
    this.connections.push(connection);
    return connection;
  }

  private take(connection: PublishConnection, answer: PublishAnswer): void {
    const { place, events } = this.inFlight.get(connection)!;
    this.answeredAtMs.fill(monotonicMs(), place, place + events);
    if (answer.status < 200 || answer.status > 299) {
      this.refused[answer.status] = (this.refused[answer.status] ?? 0) + events;
      this.firstRefusal ??= answer.body;
    }
    this.idle.push(connection);
    this.answered += events;
    if (this.answered === this.load.events) {
      const { owedAtMs, sentAtMs, answeredAtMs, refused, firstRefusal } = this;
      return this.done.resolve({ owedAtMs, sentAtMs, answeredAtMs, refused, firstRefusal });
    }
    if (this.load.pace.kind === 'full') this.sendWhatMay(this.load.pace);
  }
}

process.on('disconnect', () => process.exit());
async function publish(load: LoaderCommand): Promise<void> {
  say({ kind: 'published', ...(await new Publishing(load).run()) });
}

process.on('message', (load: LoaderCommand) => void publish(load));
say({ kind: 'ready' });
