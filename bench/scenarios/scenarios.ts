import { backlog } from './backlog.js';
import { ceiling } from './ceiling.js';
import { isolation } from './isolation.js';
import { kafka } from './kafka.js';
import type { Scenario } from './scenario.js';
import { standalone } from './standalone.js';
import { sweep } from './sweep.js';

/** In the order they are played. */
export const SCENARIOS: readonly Scenario[] = [ceiling, standalone, kafka, sweep, isolation, backlog];
