import { setTimeout as sleep } from 'node:timers/promises';
import type { Schemas } from '#client/api-call.js';
import { ApiUnreachable } from '#client/api-problem.js';
import { ATTEMPT_OUTCOMES } from '#domain/attempt-outcome.js';
import { resultOf, wordsOf } from '../attempt-columns.js';
import { command } from '../command.js';
import { choicesOption, listOption } from '../options.js';
import type { Output } from '../output.js';
import type { Session } from '../session.js';
import { shownText } from '../shown-text.js';
import { shownTime } from '../shown-time.js';

type FollowedAttempt = Schemas['FollowedAttempt'];

const WAIT_SECONDS = 20;
/** Beyond the wait that was asked for. */
const TIMEOUT_MS = 40_000;
const RECONNECT_MS = 2_000;
const PAGE = 200;

interface Filter {
  readonly application: string[] | undefined;
  readonly endpoint: string[] | undefined;
  readonly outcome: FollowedAttempt['outcome'][] | undefined;
}

export const TAIL = command({
  name: 'tail',
  about: 'Follow attempts as they are made, until Ctrl-C',
  options: {
    application: listOption('Of this application'),
    endpoint: listOption('To this endpoint'),
    outcome: choicesOption('With this outcome', ATTEMPT_OUTCOMES),
  },
  examples: [
    ['tail --application acme', 'What is sent to the endpoints of an application'],
    ['tail --outcome timeout,http_5xx --json', 'One JSON object per line'],
  ],
  async run(session, { application, endpoint, outcome }) {
    const { output, interrupted } = session;
    try {
      await follow(session, { application, endpoint, outcome });
    } catch (error) {
      // Ctrl-C is how it ends.
      if (!interrupted.aborted) throw error;
      if (!output.json) output.remark('');
    }
  },
});

/** From now on, and on where it was after the API was away: the position is the API's own. */
async function follow(session: Session, filter: Filter): Promise<never> {
  const { client, output, interrupted } = session;
  let { nextCursor: after } = await client.get('/v1/attempts', {
    query: { ...filter, wait: 0, limit: 1 },
    signal: interrupted,
  });
  output.remark('Following attempts. Ctrl-C ends it.');
  let isAway = false;
  for (;;) {
    try {
      const page = await client.get('/v1/attempts', {
        query: { ...filter, after, wait: WAIT_SECONDS, limit: PAGE },
        timeoutMs: TIMEOUT_MS,
        signal: interrupted,
      });
      for (const attempt of page.items) show(output, attempt);
      after = page.nextCursor;
      if (isAway) output.remark('It is back.');
      isAway = false;
    } catch (error) {
      if (!(error instanceof ApiUnreachable)) throw error;
      if (!isAway) output.remark(`${error.message}. Going on when it is back.`);
      isAway = true;
      await sleep(RECONNECT_MS, undefined, { signal: interrupted });
    }
  }
}

function show(output: Output, attempt: FollowedAttempt): void {
  if (output.json) {
    output.jsonLine(attempt);
    return;
  }
  const { startedAt, durationMs, application, delivery, endpoint, event, type, outcome, nextAttemptAt } =
    attempt;
  const text = [
    shownTime(startedAt),
    resultOf(attempt).padEnd(3),
    `${durationMs} ms`.padStart(8),
    `${application} ${type} ${event ?? '-'}`,
    `delivery ${delivery} to ${endpoint}`,
    ...(outcome === 'success' ? [] : [wordsOf(attempt)]),
    ...(nextAttemptAt === null ? [] : [`next ${shownTime(nextAttemptAt)}`]),
  ].join('  ');
  output.line(output.styled(outcome === 'success' ? 'green' : 'red', shownText(text)));
}
