import type { DatabasePlatform } from '../processes/database-platform.js';
import { registerApplications } from '../rounds/bench-applications.js';
import { BODY_SIZES, publishBody } from '../rounds/event-bodies.js';
import { fullPace, MAX_UNDELIVERED } from '../scenarios/pipeline.js';
import { takeAwayWaiting } from '../waiting/waiting-deliveries.js';
import { type HealthFigures, type IsolationStage, playBeside } from './beside.js';
import type { Disturbance, Unwell } from './disturbances.js';
import { OpenDescriptors } from './open-descriptors.js';

/** Of the endpoints that are measured. */
const HEALTHY = 50;
const HEALTHY_PER_SECOND = 200;
const CALM_SECONDS = 6;
/** Until well after the first of those that hang have timed out. */
const DISTURBED_SECONDS = 13;
const FULL_LOAD_SECONDS = 3;
const REGISTERED_AT_ONCE = 50;
/** Failures must not disable what is meant to fail, and no retry is to come back into a later round. */
const SETTINGS = { breakerThreshold: 0, retryWaits: ['1h'] };

/** What healthy endpoints saw without a disturbance and with it, in turn. */
export interface IsolationFigures {
  readonly calm: HealthFigures;
  readonly disturbed: HealthFigures;
  /** Of both the 99th percentile. */
  readonly latencyRatio: number;
  /** At full load. */
  readonly calmPerSecond: number;
  readonly disturbedPerSecond: number;
  readonly paceRatio: number;
  readonly mostDescriptors: number;
  readonly [name: string]: number | HealthFigures;
}

/** Plays healthy endpoints beside others, which are well first and then not. */
export class IsolationRounds {
  private constructor(
    private readonly stage: IsolationStage & { readonly platform: DatabasePlatform },
    private readonly unwell: Unwell,
    private readonly healthy: readonly string[],
    /** Bodies for endpoints that are well, as many as any disturbance has. */
    private readonly well: readonly string[],
    /** At full load, in deliveries. */
    private readonly perSecond: number,
  ) {}

  /** @param mostEndpoints that any of the disturbances will have */
  static async prepare(
    stage: IsolationStage & { readonly platform: DatabasePlatform },
    unwell: Unwell,
    mostEndpoints: number,
    warmUp: (bodies: readonly string[]) => Promise<number>,
  ): Promise<IsolationRounds> {
    const { platform, receiver } = stage;
    const healthy = bodiesFor(
      await registerApplications(platform, 'healthy', receiver.origins.slice(0, HEALTHY)),
    );
    const others = receiver.origins.slice(HEALTHY);
    const origins = Array.from({ length: mostEndpoints }, (_, index) => others[index % others.length]!);
    const well = bodiesFor(await registerApplications(platform, 'well', origins));
    return new IsolationRounds(stage, unwell, healthy, well, await warmUp([...healthy, ...well]));
  }

  async play(disturbance: Disturbance): Promise<IsolationFigures> {
    const { receiver } = this.unwell;
    await receiver.turn('well');
    const well = this.well.slice(0, disturbance.endpoints);
    const unwell = () => this.registerUnwell(disturbance);
    const before = disturbance.wereWell ? await unwell() : [];
    const calm = await this.measure(disturbance, [...before, ...well.slice(before.length)], CALM_SECONDS);
    const ailing = disturbance.wereWell ? before : await unwell();
    await receiver.turn('hanging');
    const descriptors = new OpenDescriptors(this.stage.platform.trees['standalone']!.root);
    const disturbed = await this.measure(
      disturbance,
      [...ailing, ...well.slice(ailing.length)],
      DISTURBED_SECONDS,
    ).finally(() => descriptors.stop());
    await this.endAttempts();
    return {
      calm: calm.atRate,
      disturbed: disturbed.atRate,
      latencyRatio: disturbed.atRate.toReceiptMs.p99 / calm.atRate.toReceiptMs.p99,
      calmPerSecond: calm.atFullLoad.deliveriesPerSecond,
      disturbedPerSecond: disturbed.atFullLoad.deliveriesPerSecond,
      paceRatio: disturbed.atFullLoad.deliveriesPerSecond / calm.atFullLoad.deliveriesPerSecond,
      mostDescriptors: descriptors.most,
    };
  }

  private async measure(
    { perSecond }: Disturbance,
    others: readonly string[],
    seconds: number,
  ): Promise<{ atRate: HealthFigures; atFullLoad: HealthFigures }> {
    const { stage, healthy } = this;
    const atRate = await playBeside(
      stage,
      {
        bodies: healthy,
        events: HEALTHY_PER_SECOND * seconds,
        pace: { kind: 'rate', eventsPerSecond: HEALTHY_PER_SECOND },
      },
      { bodies: others, perSecond, seconds },
    );
    const atFullLoad = await playBeside(
      stage,
      {
        bodies: healthy,
        events: Math.round(this.perSecond * FULL_LOAD_SECONDS),
        pace: fullPace(MAX_UNDELIVERED, stage.receiver.countPort),
      },
      { bodies: others, perSecond, seconds: FULL_LOAD_SECONDS },
    );
    return { atRate, atFullLoad };
  }

  /** Endpoints that the product has not met yet. A name that does not resolve keeps a registration waiting. */
  private async registerUnwell({ unwell, urlOf }: Disturbance): Promise<string[]> {
    const round = this.stage.nextRound();
    const applications: string[] = [];
    for (let first = 0; first < unwell; first += REGISTERED_AT_ONCE) {
      const numbers = Array.from(
        { length: Math.min(REGISTERED_AT_ONCE, unwell - first) },
        (_, i) => first + i,
      );
      const registered = await Promise.all(
        numbers.map((number) =>
          registerApplications(
            this.stage.platform,
            `unwell-${round}-${number}`,
            [urlOf(this.unwell, number)],
            SETTINGS,
          ),
        ),
      );
      applications.push(...registered.flat());
    }
    return bodiesFor(applications);
  }

  /** What is left of this round would disturb the calm of the next. */
  private async endAttempts(): Promise<void> {
    await takeAwayWaiting(this.stage.platform.database);
    await this.unwell.receiver.drop();
  }
}

function bodiesFor(applications: readonly string[]): string[] {
  return applications.map((application) => publishBody(application, BODY_SIZES.small));
}
