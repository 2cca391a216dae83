import {
  type Replay,
  REPLAYABLE_STATES,
  REPLAY_KINDS,
  REPLAY_STATES,
  type ReplayFilter,
} from '#domain/replay.js';
import { idText } from '#http/ids.js';
import type { ReplayPreview } from '#storage/sql/replays.js';
import { z } from 'zod';

const filterAnswerSchema = z.object({
  application: z.string().optional(),
  applications: z.array(z.string()).readonly().optional(),
  endpoint: idText.optional(),
  type: z.string().optional(),
  since: z.date().optional(),
  until: z.date().optional(),
  ids: z.array(idText).readonly().optional(),
  states: z.array(z.enum(REPLAYABLE_STATES)).readonly(),
});

export const replayAnswerSchema = z
  .object({
    id: idText,
    kind: z.enum(REPLAY_KINDS),
    filter: filterAnswerSchema.describe('What was asked for; parts that were not asked for are left out.'),
    state: z.enum(REPLAY_STATES),
    matched: z.int().describe('Deliveries of the set when it was fixed.'),
    queued: z.int(),
    skipped: z.int().describe('Changed since it was fixed, in flight, or of a revoked endpoint.'),
    ratePerSecond: z.int().nullable(),
    failure: z.string().nullable(),
    createdBy: z.string(),
    createdAt: z.date(),
    finishedAt: z.date().nullable(),
  })
  .meta({
    id: 'Replay',
    examples: [
      {
        id: '251604938752201',
        kind: 'dead-letters',
        filter: { application: 'acme', states: ['dead', 'closed'] },
        state: 'running',
        matched: 1204,
        queued: 300,
        skipped: 0,
        ratePerSecond: 50,
        failure: null,
        createdBy: 'on-call',
        createdAt: '2025-01-31T12:00:00.000Z',
        finishedAt: null,
      },
    ],
  });

export type ReplayAnswer = z.infer<typeof replayAnswerSchema>;

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
    createdAt: replay.createdAt,
    finishedAt: replay.finishedAt,
  };
}

export const previewAnswerSchema = z
  .object({
    matched: z.int(),
    oldest: z.date().nullable(),
    newest: z.date().nullable(),
    byEndpoint: z.array(z.object({ endpoint: idText, matched: z.int() })),
  })
  .meta({
    id: 'ReplayPreview',
    examples: [
      {
        matched: 1204,
        oldest: '2025-01-31T02:10:03.120Z',
        newest: '2025-01-31T03:04:41.007Z',
        byEndpoint: [{ endpoint: '251604938752001', matched: 1204 }],
      },
    ],
  });

export type PreviewAnswer = z.infer<typeof previewAnswerSchema>;

export function previewAnswer(preview: ReplayPreview): PreviewAnswer {
  return {
    matched: preview.matched,
    oldest: preview.oldest,
    newest: preview.newest,
    byEndpoint: preview.byEndpoint.map(({ endpointId, matched }) => ({
      endpoint: String(endpointId),
      matched,
    })),
  };
}

function filterAnswer(filter: ReplayFilter): ReplayAnswer['filter'] {
  const { applications, endpoint, type, since, until, ids, states } = filter;
  const [application, ...others] = applications ?? [];
  return {
    ...(application !== undefined &&
      (others.length === 0 ? { application } : { applications: applications! })),
    ...(endpoint !== null && { endpoint: String(endpoint) }),
    ...(type !== null && { type }),
    ...(since !== null && { since: new Date(since) }),
    ...(until !== null && { until: new Date(until) }),
    ...(ids !== null && { ids: ids.map(String) }),
    states,
  };
}
