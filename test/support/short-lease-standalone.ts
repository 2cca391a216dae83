import { runStandalone } from '#apps/standalone/src/run-standalone.js';
import { SHORT_DEADLINES } from './platform.js';

/** The standalone process with short deadlines, so that a test does not wait a minute for a dead one's leases. */
await runStandalone(SHORT_DEADLINES);
