import type { LoaderProcess } from '../processes/loader-process.js';
import type { Platform } from '../processes/platform.js';
import type { ReceiverProcess } from '../processes/receiver-process.js';

/** What a round plays on. */
export interface BenchStage {
  readonly platform: Platform;
  readonly receiver: ReceiverProcess;
  readonly loader: LoaderProcess;
  readonly producerKey: string;
  /** A number that no round had yet. */
  readonly nextRound: () => number;
}
