import type { Replay, ReplayFilter, ReplayKind, ReplayState } from '#domain/replay.js';
import type { ReplayPreview } from '#storage/sql/replays.js';

export interface ReplayAnswer {
  readonly id: string;
  readonly kind: ReplayKind;
  /** What was asked for; parts that were not asked for are left out. */
  readonly filter: Readonly<Record<string, unknown>>;
  readonly state: ReplayState;
  /** Deliveries of the set when it was fixed. */
  readonly matched: number;
  readonly queued: number;
  /** Changed since it was fixed, in flight, or of a revoked endpoint. */
  readonly skipped: number;
  readonly ratePerSecond: number | null;
  readonly failure: string | null;
  readonly createdBy: string;
  readonly createdAt: string;
  readonly finishedAt: string | null;
}

export function replayAnswer(replay: Replay): ReplayAnswer {
  return {
    id: String(replay.id),
    kind: replay.kind,
    filter: filterAnswer(replay.filter),
    state: replay.state,
    matched: replay.matched,
    queued: replay.queued,
    skipped: replay.skipped,
    ratePerSecond: replay.ratePerSecond,
    failure: replay.failure,
    createdBy: replay.createdBy,
    createdAt: replay.createdAt.toISOString(),
    finishedAt: replay.finishedAt?.toISOString() ?? null,
  };
}

export interface PreviewAnswer {
  readonly matched: number;
  readonly oldest: string | null;
  readonly newest: string | null;
  readonly byEndpoint: readonly { endpoint: string; matched: number }[];
}

export function previewAnswer(preview: ReplayPreview): PreviewAnswer {
  return {
    matched: preview.matched,
    oldest: preview.oldest?.toISOString() ?? null,
    newest: preview.newest?.toISOString() ?? null,
    byEndpoint: preview.byEndpoint.map(({ endpointId, matched }) => ({
      endpoint: String(endpointId),
      matched,
    })),
  };
}

function filterAnswer(filter: ReplayFilter): Record<string, unknown> {
  const { applications, endpoint, ids, ...rest } = filter;
  const [application, ...others] = applications ?? [];
  const parts = {
    application: others.length === 0 ? (application ?? null) : null,
    applications: others.length > 0 ? applications : null,
    ...rest,
    endpoint: endpoint && String(endpoint),
    ids: ids?.map(String) ?? null,
  };
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== null));
}
