import type { TransportLog } from './kafka-settings.js';
import { pause, within } from './time-limit.js';

const FIRST_PAUSE_MS = 250;
const LONGEST_PAUSE_MS = 3_000;
const STEADY_MS = 10_000;
const STOP_LIMIT_MS = 5_000;

/**
 * One life of a client: connects, calls `up`, and stays until `ending` is aborted (then it returns) or until
 * the client is of no use any more (then it throws). Ends its client itself, within bounds.
 */
export type Session = (up: () => void, ending: AbortSignal) => Promise<void>;

/**
 * Keeps something of Kafka's running for ever: after any fault a new session with a new client, for a kafkajs
 * client that has crashed on a non-retriable error never comes back. Says once per outage that it is away and
 * once that it is back.
 */
export class Supervisor {
  private readonly ending = new AbortController();
  private running: Promise<void> | undefined;
  private isUp = false;
  private saidAway = false;

  /** @param name in the log */
  constructor(
    private readonly name: string,
    private readonly log: TransportLog,
    private readonly session: Session,
  ) {}

  get up(): boolean {
    return this.isUp;
  }

  /** Returns at once; connecting goes on in the background for as long as it takes. */
  start(): void {
    this.running ??= this.keepRunning(this.ending.signal);
  }

  /** Bounded, whatever the brokers do. */
  async stop(): Promise<void> {
    this.ending.abort();
    await within(this.running ?? Promise.resolve(), STOP_LIMIT_MS, this.name).catch(() => undefined);
  }

  private async keepRunning(ending: AbortSignal): Promise<void> {
    let pauseMs = FIRST_PAUSE_MS;
    while (!ending.aborted) {
      let upSince = Infinity;
      try {
        await this.session(() => {
          upSince = Math.min(upSince, performance.now());
          this.comeUp();
        }, ending);
      } catch (error) {
        if (!ending.aborted) this.goAway(error);
      }
      this.isUp = false;
      // One that comes up only to fail again is no better than one that never does.
      if (performance.now() - upSince > STEADY_MS) pauseMs = FIRST_PAUSE_MS;
      await pause(pauseMs, ending);
      pauseMs = Math.min(LONGEST_PAUSE_MS, 2 * pauseMs);
    }
  }

  private comeUp(): void {
    if (this.isUp) return;
    this.isUp = true;
    this.log.info({ client: this.name }, this.saidAway ? 'kafka.back' : 'kafka.connected');
    this.saidAway = false;
  }

  private goAway(error: unknown): void {
    if (this.saidAway) this.log.debug({ client: this.name, err: error }, 'kafka.still-away');
    else this.log.warn({ client: this.name, err: error }, 'kafka.away');
    this.saidAway = true;
  }
}
