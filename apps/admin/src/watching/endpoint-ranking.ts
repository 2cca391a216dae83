import { readEndpointLags } from '#delivery/watch/endpoint-lags.js';
import { type ActivityWindow, RecentActivity } from '#delivery/watch/recent-activity.js';
import { DAY_MS } from '#domain/durations.js';
import { firstIdAt, type TimeOrderedId } from '#domain/time-ordered-id.js';
import { Database } from '#storage/database.js';
import { databaseNow } from '#storage/sql/database-clock.js';
import { type Activity, type LatestFailure, readLatestFailures } from '#storage/sql/endpoint-activity.js';
import { readEndpointStats } from '#storage/sql/endpoint-stats.js';
import { StatsRepository } from '#storage/stats.repository.js';
import { Injectable } from '@nestjs/common';
import type { EndpointRankingAnswer, RankingOrder } from './endpoint-ranking.schemas.js';

const NO_ACTIVITY: Activity = { succeeded: 0, failed: 0, durationMs: 0 };

/** Finds the endpoints that stand out. */
@Injectable()
export class EndpointRanking {
  constructor(
    private readonly database: Database,
    private readonly stats: StatsRepository,
    private readonly activity: RecentActivity,
  ) {}

  /** @param applications null for all */
  async read(
    applications: readonly string[] | null,
    { order, window, limit }: { order: RankingOrder; window: ActivityWindow; limit: number },
  ): Promise<EndpointRankingAnswer> {
    const now = await databaseNow(this.database);
    const [endpoints, { since, activity }, lags] = await Promise.all([
      this.stats.standingEndpoints(applications),
      this.activity.ofEndpoints(window, now),
      order === 'lag' ? readEndpointLags(this.database) : new Map<TimeOrderedId, number>(),
    ]);
    const rankOf = (id: TimeOrderedId): number => {
      const { succeeded, failed } = activity.get(id) ?? NO_ACTIVITY;
      switch (order) {
        case 'failures':
          return failed;
        case 'lag':
          return lags.get(id) ?? 0;
        case 'volume':
          return succeeded + failed;
      }
    };
    const ranked = endpoints
      .filter((id) => rankOf(id) > 0)
      .sort((a, b) => rankOf(b) - rankOf(a) || a - b)
      .slice(0, limit);
    return { at: now, since, order, window, items: await this.describe(ranked, activity, now) };
  }

  private async describe(
    ids: readonly TimeOrderedId[],
    activity: ReadonlyMap<TimeOrderedId, Activity>,
    now: Date,
  ): Promise<EndpointRankingAnswer['items']> {
    const yesterday = firstIdAt(new Date(Math.floor(now.getTime() / DAY_MS - 1) * DAY_MS));
    const [endpoints, waiting, failures] = await Promise.all([
      this.stats.endpointsOf(ids),
      readEndpointStats(this.database, ids),
      readLatestFailures(this.database, ids, yesterday),
    ]);
    return ids.flatMap((id) => {
      const endpoint = endpoints.get(id);
      if (!endpoint) return [];
      const { succeeded, failed, durationMs } = activity.get(id) ?? NO_ACTIVITY;
      const attempts = succeeded + failed;
      const { pending, oldestDueAt } = waiting.get(id)!;
      return [
        {
          id: String(id),
          ...endpoint,
          succeeded,
          failed,
          successShare: attempts === 0 ? null : succeeded / attempts,
          averageDurationMs: attempts === 0 ? null : durationMs / attempts,
          pending,
          oldestDueAt,
          lastHttpStatus: failures.get(id)?.httpStatus ?? null,
          lastError: errorOf(failures.get(id)),
        },
      ];
    });
  }
}

function errorOf(failure: LatestFailure | undefined): EndpointRankingAnswer['items'][number]['lastError'] {
  if (!failure || failure.code === null) return null;
  return { code: failure.code, message: failure.message ?? '' };
}
