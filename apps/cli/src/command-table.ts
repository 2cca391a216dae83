import type { Command, CommandGroup } from './command.js';
import { APPLICATIONS } from './commands/applications.js';
import { CONTRACTS } from './commands/contracts.js';
import { DEAD_LETTERS } from './commands/dead-letters.js';
import { DELIVERIES } from './commands/deliveries.js';
import { ENDPOINTS } from './commands/endpoints.js';
import { EVENTS } from './commands/events.js';
import { REJECTIONS } from './commands/rejections.js';
import { REPLAY_COMMAND, REPLAYS } from './commands/replays.js';
import { STATS } from './commands/stats.js';
import { TAIL } from './commands/tail.js';

/** Every command, in the order of the help. */
export const COMMANDS: readonly (Command | CommandGroup)[] = [
  STATS,
  TAIL,
  APPLICATIONS,
  ENDPOINTS,
  EVENTS,
  DELIVERIES,
  DEAD_LETTERS,
  REPLAY_COMMAND,
  REPLAYS,
  REJECTIONS,
  CONTRACTS,
];
