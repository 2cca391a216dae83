import { ACTIVITY_WINDOWS, type ActivityWindow } from '#delivery/watch/recent-activity.js';
import { ENDPOINT_STATES } from '#domain/endpoint-state.js';
import { idText, publicId } from '#http/ids.js';
import { commaList, limit, MAX_LIMIT } from '#http/list-query.js';
import { COUNT_CAP } from '#storage/sql/endpoint-stats.js';
import { z } from 'zod';

export const RANKING_ORDERS = ['failures', 'lag', 'volume'] as const;
export type RankingOrder = (typeof RANKING_ORDERS)[number];

const WINDOWS = Object.keys(ACTIVITY_WINDOWS) as ActivityWindow[];
const DEFAULT_ORDER = 'failures';
const DEFAULT_WINDOW = '1h';
const DEFAULT_RANKED = 20;

const rankingQuery = z.object({
  order: z
    .enum(RANKING_ORDERS)
    .optional()
    .describe(
      `With \`by=endpoint\`: the most failed attempts, the longest owed delivery, or the most attempts first. ` +
        `\`${DEFAULT_ORDER}\` without it.`,
    ),
  window: z
    .enum(WINDOWS)
    .optional()
    .describe(`With \`by=endpoint\`: how far attempts are looked back at. \`${DEFAULT_WINDOW}\` without it.`),
  limit: limit
    .removeDefault()
    .optional()
    .describe(`With \`by=endpoint\`: endpoints at most, up to ${MAX_LIMIT}. ${DEFAULT_RANKED} without it.`),
});

/** Of the figures of all, or with `by` of the endpoints that stand out. */
export const statsQuery = z
  .strictObject({
    application: commaList(publicId).optional(),
    by: z.enum(['endpoint']).optional().describe('Instead of the figures of all, those of single endpoints.'),
    ...rankingQuery.shape,
  })
  .transform((query, context) => {
    const { application, by, order, window, limit } = query;
    if (by !== undefined)
      return {
        application,
        ranking: {
          order: order ?? DEFAULT_ORDER,
          window: window ?? DEFAULT_WINDOW,
          limit: limit ?? DEFAULT_RANKED,
        },
      };
    for (const [name, value] of Object.entries({ order, window, limit })) {
      if (value === undefined) continue;
      context.addIssue({
        code: 'custom',
        path: [name],
        params: { code: 'ONLY_BY_ENDPOINT' },
        message: `${name} is of by=endpoint alone. Add by=endpoint, or leave ${name} out.`,
      });
    }
    return { application, ranking: null };
  });

export const endpointRankingSchema = z
  .object({
    at: z.date(),
    since: z.date().describe('From when on attempts are counted: the window, and up to a step of it more.'),
    order: z.enum(RANKING_ORDERS),
    window: z.enum(WINDOWS),
    items: z
      .array(
        z.object({
          id: idText,
          application: z.string(),
          url: z.string(),
          state: z.enum(ENDPOINT_STATES),
          disabledReason: z.string().nullable(),
          disabledAt: z.date().nullable(),
          consecutiveFailures: z.int(),
          succeeded: z.int().describe('Attempts since then.'),
          failed: z.int(),
          successShare: z.number().nullable().describe('0 to 1; null without attempts.'),
          averageDurationMs: z.number().nullable().describe('Of all these attempts; null without any.'),
          pending: z.int().describe(`Deliveries that wait; counted up to ${COUNT_CAP}.`),
          oldestDueAt: z
            .date()
            .nullable()
            .describe('Since when the oldest attempt is owed; null when none is.'),
          lastHttpStatus: z
            .int()
            .nullable()
            .describe('Of the latest delivery that failed, among the latest twenty of today and yesterday.'),
          lastError: z
            .object({ code: z.string(), message: z.string() })
            .nullable()
            .describe('Of the same; null where an answer came.'),
        }),
      )
      .describe('Only those that have any of what they are ordered by; none that is revoked.'),
  })
  .meta({
    id: 'EndpointRanking',
    examples: [
      {
        at: '2025-01-31T12:00:00.000Z',
        since: '2025-01-31T11:00:00.000Z',
        order: 'failures',
        window: '1h',
        items: [
          {
            id: '251604938752001',
            application: 'acme',
            url: 'https://example.com/webhooks',
            state: 'active',
            disabledReason: null,
            disabledAt: null,
            consecutiveFailures: 4,
            succeeded: 120,
            failed: 40,
            successShare: 0.75,
            averageDurationMs: 81.5,
            pending: 40,
            oldestDueAt: null,
            lastHttpStatus: 503,
            lastError: null,
          },
        ],
      },
    ],
  });

export type EndpointRankingAnswer = z.infer<typeof endpointRankingSchema>;
