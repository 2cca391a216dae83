import type { Schemas } from '#client/api-call.js';
import type { Output } from './output.js';
import { shownTimeFromNow } from './shown-time.js';

/** What a publish would bring about: body, and for each target address and headers. */
export function showTrial(output: Output, trial: Schemas['PublishTrial']): void {
  output.one(trial, [
    ['event', trial.id],
    ['application', trial.application],
    ['duplicate', trial.duplicate ? 'yes: it was published before, nothing new would be made' : null],
    ['reserved', trial.reserved ? 'yes: kept, and delivered to nobody' : null],
    ['deliveries', trial.deliveryCount],
    ['suppressed', trial.suppressedCount],
    ['sha256', trial.bodySha256],
    ['body', trial.body],
  ]);
  if (!output.json) {
    for (const { endpoint, endpointState, url, state, firstAttemptAt, headers } of trial.targets) {
      output.line();
      output.lines([
        ['endpoint', `${endpoint} (${endpointState})`],
        ['url', url],
        ['would be', state],
        ['first attempt', shownTimeFromNow(firstAttemptAt)],
        ...headers.map(({ name, value }) => [name, value] as const),
      ]);
    }
  }
  output.remark('A dry run: nothing was kept, and nothing is sent.');
}
