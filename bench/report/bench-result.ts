import type { BenchProfile } from '../scenarios/bench-profile.js';
import type { Row } from '../scenarios/scenario.js';
import type { Machine, Revision } from './machine.js';
import type { Verdict } from './verdict.js';

/** All that one run found, as it is written to JSON. */
export interface BenchResult {
  readonly startedAt: string;
  readonly seconds: number;
  readonly machine: Machine;
  readonly revision: Revision;
  readonly profile: BenchProfile;
  readonly rows: readonly Row[];
  readonly verdicts: readonly Verdict[];
  /** Scenarios that broke off, with the reason. */
  readonly failures: readonly { readonly scenario: string; readonly message: string }[];
}

/** As JSON with four significant digits: more would be noise, and make every run a change of every line. */
export function toJson(result: BenchResult): string {
  const round = (_: string, value: unknown) =>
    typeof value === 'number' && !Number.isInteger(value) ? Number(value.toPrecision(4)) : value;
  return `${JSON.stringify(result, round, 2)}\n`;
}
