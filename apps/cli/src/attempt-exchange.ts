import type { Schemas } from '#client/api-call.js';
import { wordsOf } from './attempt-columns.js';
import type { Line, Output } from './output.js';
import { shownTimeFromNow } from './shown-time.js';

type Headers = Schemas['WholeAttempt']['request']['headers'];

/** What was sent and what came back, as it would be quoted to a receiver. */
export function showExchange(output: Output, attempt: Schemas['WholeAttempt']): void {
  const { request, response } = attempt;
  output.one(attempt, [
    ['delivery', attempt.delivery],
    ['event', attempt.event],
    ['application', attempt.application],
    ['endpoint', attempt.endpoint],
    ['attempt', `${attempt.number}, cycle ${attempt.cycle}, ${attempt.trigger}`],
    ['superseded', attempt.superseded ? 'yes: its result came too late to count' : null],
    // To the millisecond: the receiver looks for it in a log.
    ['started', attempt.startedAt],
    ['took', `${attempt.durationMs} ms`],
    ['outcome', attempt.outcome],
    ['next attempt', attempt.nextAttemptAt === null ? null : shownTimeFromNow(attempt.nextAttemptAt)],
  ]);
  if (output.json) return;
  output.line();
  output.lines([
    ['request', `${request.method} ${request.url}`],
    ['to address', attempt.remoteAddress],
    ...linesOf(request.headers),
    ['body', request.body && `${request.body.bytes} bytes, sha256 ${request.body.sha256}`],
  ]);
  output.line();
  output.lines(
    response === null
      ? [['no response', `${wordsOf(attempt)} (${attempt.error?.code})`]]
      : [
          ['response', response.httpStatus],
          ...linesOf(response.headers),
          ['more headers', response.headersCut ? 'are not kept' : null],
          ['text', response.text],
        ],
  );
}

function linesOf(headers: Headers): Line[] {
  return headers?.map(({ name, value }): Line => [name, value]) ?? [['headers', 'are not kept']];
}
