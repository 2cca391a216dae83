import type { Figures } from '../measure/statistics.js';
import type { CaretakerProcess } from '../processes/caretaker-process.js';
import type { LoaderProcess } from '../processes/loader-process.js';
import type { ProductBuild } from '../processes/product-process.js';
import type { ReceiverProcess } from '../processes/receiver-process.js';
import type { BenchProfile } from './bench-profile.js';

/** A part of the bench: it starts what its rows share, plays them, and ends it. */
export interface Scenario {
  readonly name: string;
  /** The ids of its rows, `<scenario>/…`, in the order they are played. */
  readonly rows: readonly string[];
  /** Plays those of its rows that are wanted, at least one. */
  run(context: BenchContext, wanted: ReadonlySet<string>): Promise<void>;
}

/** Which table of the report shows a row, and so which figures it has. */
export type RowKind =
  'full-load' | 'rate' | 'sweep' | 'isolation' | 'drain' | 'lateness' | 'lists' | 'dropped-day' | 'backlog';

/** One line of the result. */
export interface Row {
  readonly id: string;
  readonly kind: RowKind;
  readonly title: string;
  readonly rounds: readonly Figures[];
  /** Of each figure by itself. */
  readonly median: Figures;
}

export interface BenchContext {
  readonly profile: BenchProfile;
  readonly build: ProductBuild;
  readonly receiver: ReceiverProcess;
  readonly loader: LoaderProcess;
  readonly caretaker: CaretakerProcess;
  /** A number that no round of this run had yet. */
  readonly nextRound: () => number;
  /** Tells a person how it goes. */
  readonly say: (line: string) => void;
  readonly record: (row: Row) => void;
}
