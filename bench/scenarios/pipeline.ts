import type { Pace } from '../processes/loader-messages.js';
import type { Platform } from '../processes/platform.js';
import { createProducerKey, registerApplications } from '../rounds/bench-applications.js';
import type { BenchStage } from '../rounds/bench-stage.js';
import { type BodySize, BODY_SIZES, publishBatchBody, publishBody } from '../rounds/event-bodies.js';
import type { RoundFigures } from '../rounds/round-figures.js';
import { playRound, type RoundPlan } from '../rounds/round.js';
import { warmUp } from '../rounds/warm-up.js';
import { FULL_LOADS } from './full-load.js';
import { playRow } from './play-row.js';
import type { BenchContext } from './scenario.js';

/** Publishers at once at full load. */
export const CONNECTIONS = 100;
/** Deliveries on their way at full load: about a third of a second of work, so that every part is busy. */
export const MAX_UNDELIVERED = 1_000;
const BATCH = 100;
const FEW_PER_SECOND = 100;
const LOAD_SHARE = 0.7;

/** What comes after the scenario in the ids of the rows that every composition of the pipeline plays. */
export const PIPELINE_ROWS: readonly string[] = [
  ...FULL_LOADS.map(({ row }) => row),
  'batch/1',
  'rate/100',
  'rate/70%',
];

/** Full load by body size and endpoints, then how long a delivery takes at 100/s and at 70 % of full load. */
export class Pipeline {
  private constructor(
    private readonly context: BenchContext,
    private readonly scenario: string,
    private readonly stage: BenchStage,
    private readonly one: readonly string[],
    private readonly hundred: readonly string[],
  ) {}

  static async prepare(context: BenchContext, scenario: string, platform: Platform): Promise<Pipeline> {
    const { origins } = context.receiver;
    const stage = { ...context, platform, producerKey: await createProducerKey(platform) };
    const one = await registerApplications(platform, 'one', origins.slice(0, 1));
    const hundred = await registerApplications(platform, 'of-hundred', origins);
    return new Pipeline(context, scenario, stage, one, hundred);
  }

  async play(wanted: ReadonlySet<string>): Promise<void> {
    let perSecond = await this.warmUp();
    for (const { row, size, endpoints, title } of FULL_LOADS) {
      if (!wanted.has(`${this.scenario}/${row}`)) continue;
      const applications = endpoints === 1 ? this.one : this.hundred;
      const bodies = applications.map((application) => publishBody(application, size));
      const figures = await this.playFullLoad(row, title, {
        events: this.eventsOf(perSecond, size),
        bodies,
        path: '/v1/events',
      });
      if (row === FULL_LOADS[0]!.row) perSecond = figures.deliveriesPerSecond;
    }
    if (wanted.has(`${this.scenario}/batch/1`)) {
      const applications = Array.from({ length: BATCH }, () => this.one[0]!);
      await this.playFullLoad('batch/1', `0.4 KB, 1 endpoint, published ${BATCH} at a time`, {
        events: Math.ceil(this.eventsOf(perSecond, BODY_SIZES.small) / BATCH) * BATCH,
        bodies: [publishBatchBody(applications, BODY_SIZES.small)],
        path: '/v1/events/batch',
      });
    }
    await this.playRate(wanted, 'rate/100', FEW_PER_SECOND);
    await this.playRate(wanted, 'rate/70%', Math.round(perSecond * LOAD_SHARE));
  }

  private warmUp(): Promise<number> {
    const { profile, say, receiver } = this.context;
    say(`${this.scenario}: warming up for ${profile.warmUpSeconds} s`);
    const plan = {
      bodies: [publishBody(this.one[0]!, BODY_SIZES.small)],
      path: '/v1/events',
      pace: fullPace(MAX_UNDELIVERED, receiver.countPort),
      refusals: 0,
    } as const;
    return warmUp(this.stage, plan, profile.warmUpSeconds);
  }

  /** Of a round at full load. Large bodies take about twice as long. */
  private eventsOf(perSecond: number, { bytes }: BodySize): number {
    const events = perSecond * this.context.profile.fullLoadSeconds;
    return Math.round(bytes > BODY_SIZES.small.bytes ? events / 2 : events);
  }

  private playFullLoad(
    row: string,
    title: string,
    plan: Pick<RoundPlan, 'events' | 'bodies' | 'path'>,
  ): Promise<RoundFigures> {
    const pace = fullPace(MAX_UNDELIVERED, this.context.receiver.countPort);
    return playRow(
      this.context,
      { id: `${this.scenario}/${row}`, kind: 'full-load', title: `${this.scenario}, ${title}` },
      () => playRound(this.stage, { ...plan, pace, refusals: 0 }),
    );
  }

  private async playRate(wanted: ReadonlySet<string>, row: string, eventsPerSecond: number): Promise<void> {
    const id = `${this.scenario}/${row}`;
    if (!wanted.has(id)) return;
    const plan: RoundPlan = {
      events: Math.round(eventsPerSecond * this.context.profile.rateSeconds),
      bodies: [publishBody(this.one[0]!, BODY_SIZES.small)],
      path: '/v1/events',
      pace: { kind: 'rate', eventsPerSecond },
      refusals: 0,
    };
    const title = `${this.scenario}, 0.4 KB, 1 endpoint, ${eventsPerSecond}/s`;
    await playRow(this.context, { id, kind: 'rate', title }, () => playRound(this.stage, plan));
  }
}

/** As fast as the whole way allows. */
export function fullPace(maxUndelivered: number, countPort: number): Pace {
  return { kind: 'full', connections: CONNECTIONS, maxUndelivered, deliveriesPerEvent: 1, countPort };
}
