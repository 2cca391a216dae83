import type { InferredOptionTypes, Options } from 'yargs';
import type { ExitCode } from './exit-code.js';
import type { Session } from './session.js';

/** What stands in a command without a name: `<endpoint>`. */
export interface Place {
  readonly about: string;
  readonly pattern: RegExp;
  /** Of a value that fits. */
  readonly example: string;
}

export type OptionTable = Readonly<Record<string, Options>>;
export type Example = readonly [line: string, says: string];

interface Definition<Table extends OptionTable, Places extends string> {
  readonly name: string;
  readonly about: string;
  readonly places?: Readonly<Record<Places, Place>>;
  readonly options?: Table;
  /** Whether it asks before it acts, and so takes `--yes`. */
  readonly asks?: true;
  /** Each begins behind `entrega`. */
  readonly examples: readonly Example[];
  /** Ends with `done` where it says nothing else. */
  run(
    session: Session,
    args: InferredOptionTypes<Table> & Readonly<Record<Places, string>>,
  ): Promise<ExitCode | void>;
}

export type Command = Definition<OptionTable, string>;

export interface CommandGroup {
  readonly name: string;
  readonly about: string;
  readonly commands: readonly Command[];
}

/** A command, its arguments typed by what it takes. */
export function command<
  const Table extends OptionTable = Record<never, never>,
  const Places extends string = never,
>(definition: Definition<Table, Places>): Command {
  return definition;
}
