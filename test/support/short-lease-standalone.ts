import { runStandalone } from '#apps/standalone/src/run-standalone.js';
import { SECOND_MS } from '#domain/durations.js';
import { SHORT_DEADLINES } from './platform.js';

/**
 * The standalone process with short deadlines and often read figures, so that a test waits neither a minute for a dead
 * one's leases nor long for its metrics.
 */
await runStandalone(SHORT_DEADLINES, SECOND_MS);
