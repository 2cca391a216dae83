import { once } from 'node:events';
import { AttemptFeed } from '#delivery/follow/attempt-feed.js';
import { SECOND_MS } from '#domain/durations.js';
import type { Principal } from '#domain/principal.js';
import { CurrentPrincipal, Roles } from '#http/access.js';
import { Operation, Topic } from '#http/openapi/operation.js';
import { Controller, Get, type OnModuleDestroy, Query, Res } from '@nestjs/common';
import type { FastifyReply } from 'fastify';
import { z } from 'zod';
import {
  type FollowedAttemptAnswer,
  followedAttemptAnswer,
  followedAttemptSchema,
} from './attempt-answer.js';
import { visibleApplications } from './visible-applications.js';
import { followCursor, followQuery, MAX_WAIT_SECONDS } from './watching.schemas.js';

const followedPageSchema = z.object({
  items: z.array(followedAttemptSchema).readonly(),
  nextCursor: z.string().describe('`after` of the next call, always: this list has no end.'),
});

interface FollowedPageAnswer {
  readonly items: readonly FollowedAttemptAnswer[];
  readonly nextCursor: string;
}

@Topic('Watching', 'Events, deliveries and attempts as they went.')
@Controller('v1/attempts')
@Roles('producer', 'operator')
export class AttemptsController implements OnModuleDestroy {
  private readonly underWay = new Set<FastifyReply['raw']>();

  constructor(private readonly feed: AttemptFeed) {}

  /**
   * Requests that wait would keep the process from ending for as long as they wait. They have their answers before the
   * server is closed: it cuts off what is answered in that very moment, and waits for connections that are idle only after.
   */
  async onModuleDestroy(): Promise<void> {
    this.feed.close();
    await Promise.all([...this.underWay].map((response) => once(response, 'close')));
  }

  @Get()
  @Operation({
    id: 'followAttempts',
    summary: 'Follow the attempts of all deliveries, as they are written',
    description:
      'In the order in which they were written, none missed (but one whose write took over 30 s to commit) and none twice, under whatever filters. With `wait` an answer ' +
      `comes as soon as there is an attempt, or after so many seconds, at most ${MAX_WAIT_SECONDS}, with an empty list; it may ` +
      'be empty before that, where much was looked at in vain. An attempt is here within a second of its end, mostly. Too ' +
      'many waiting requests are refused with 503.',
    answers: { 200: { description: 'What was written since.', schema: followedPageSchema } },
  })
  async follow(
    @Query({ schema: followQuery }) query: z.output<typeof followQuery>,
    @CurrentPrincipal() principal: Principal,
    @Res({ passthrough: true }) reply: FastifyReply,
  ): Promise<FollowedPageAnswer> {
    const { application, endpoint, outcome, after, wait, limit } = query;
    const gone = new AbortController();
    if (reply.raw.closed) {
      // Who hung up while his key was looked up: nothing tells of it any more.
      gone.abort();
    } else {
      this.underWay.add(reply.raw);
      reply.raw.once('close', () => {
        this.underWay.delete(reply.raw);
        gone.abort();
      });
    }
    const { attempts, position } = await this.feed.follow({
      filter: {
        applications: visibleApplications(principal, application),
        endpoints: endpoint,
        outcomes: outcome,
      },
      after: after ?? null,
      limit,
      waitMs: wait * SECOND_MS,
      signal: gone.signal,
    });
    return { items: attempts.map(followedAttemptAnswer), nextCursor: followCursor(position) };
  }
}
