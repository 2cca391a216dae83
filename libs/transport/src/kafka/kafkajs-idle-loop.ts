import { createRequire } from 'node:module';

interface RequestQueue {
  readonly pending: readonly unknown[];
  scheduleCheckPendingRequests(): void;
}

/**
 * Stops a loop in kafkajs 2.2.4: a connection that has had its first answer looks for waiting requests every
 * millisecond for ever, with a negative timeout, of which Node 24 warns on standard error (tulios/kafkajs#1704,
 * #1751). Three quarters of the processor time of an idle process went there. With nothing waiting there is
 * nothing to look for: whatever is put there later schedules its own look.
 */
export function endIdleLoop(): void {
  const require = createRequire(import.meta.url);
  const { prototype } = require('kafkajs/src/network/requestQueue') as { prototype: RequestQueue };
  const schedule = prototype.scheduleCheckPendingRequests;
  prototype.scheduleCheckPendingRequests = function (this: RequestQueue) {
    if (this.pending.length > 0) schedule.call(this);
  };
}
