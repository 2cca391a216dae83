import { mkdirSync } from 'node:fs';
import { resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { fileURLToPath } from 'node:url';
import type { ProductBuild } from './processes/product-process.js';
import { type BenchProfile, FULL, QUICK } from './scenarios/bench-profile.js';
import { deliveriesOf, growth } from './scenarios/growth.js';
import type { Scenario } from './scenarios/scenario.js';
import { SCENARIOS } from './scenarios/scenarios.js';

export interface BenchOptions {
  readonly profile: BenchProfile;
  readonly build: ProductBuild;
  readonly scenarios: readonly Scenario[];
  readonly wants: (row: string) => boolean;
  readonly jsonFile: string;
  /** All rows of this checkout, written where README.md takes its figures from. */
  readonly isFull: boolean;
}

const ROWS = SCENARIOS.flatMap(({ rows }) => rows);
const GROWTH_SIZES = '1M,5M';
const ownCheckout = fileURLToPath(new URL('..', import.meta.url));
const lastResult = fileURLToPath(new URL('results/last.json', import.meta.url));

const USAGE = `Usage: npm run bench [-- options]

Without options: everything, some 30 minutes. The result goes to bench/results/latest.json, and into README.md.

  --quick            the rows that matter most, shorter, in under 90 s
  --only ROWS        comma-separated rows, or what they are under: standalone/8KB,kafka/rate
  --growth           another bench: a month of deliveries, its lists, a dropped day, a backlog; some 30 minutes
  --rows SIZES       how many deliveries that month has: ${GROWTH_SIZES} (20M takes 40 GB and most of an hour)
  --rounds N         rounds per row
  --json FILE        where the result goes: bench/results/last.json
  --checkout DIR     measure what is built in another checkout, to compare two versions
  --profile DIR      write CPU profiles of the product's processes there
  --node-options S   further options for the product's Node, separated by spaces

Rows: ${ROWS.join(', ')}`;

/** Exits with an explanation where the arguments are none. */
export function readArguments(args: readonly string[]): BenchOptions {
  try {
    return parse(args);
  } catch (error) {
    console.error(`${(error as Error).message}\n\n${USAGE}`);
    process.exit(2);
  }
}

function parse(args: readonly string[]): BenchOptions {
  const { values } = parseArgs({
    args: [...args],
    options: {
      quick: { type: 'boolean', default: false },
      growth: { type: 'boolean', default: false },
      rows: { type: 'string' },
      only: { type: 'string' },
      rounds: { type: 'string' },
      json: { type: 'string' },
      checkout: { type: 'string' },
      profile: { type: 'string' },
      'node-options': { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) {
    console.log(USAGE);
    process.exit(0);
  }
  const basis = values.quick ? QUICK : FULL;
  const rounds = Number(values.rounds ?? basis.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new Error(`--rounds ${values.rounds} is no count.`);

  if (values.rows !== undefined && !values.growth) throw new Error('--rows is for --growth.');
  const sizes = (values.rows ?? GROWTH_SIZES).split(',');
  sizes.forEach(deliveriesOf);
  const scenarios = values.growth ? [growth(sizes)] : SCENARIOS;
  const rows = scenarios.flatMap((scenario) => scenario.rows);
  const only = values.only?.split(',') ?? null;
  const isUnder = (row: string, above: string) => row === above || row.startsWith(`${above}/`);
  for (const above of only ?? [])
    if (!rows.some((row) => isUnder(row, above))) throw new Error(`There is no row ${above}.`);
  const wanted = only ?? (values.growth ? null : basis.rows);

  if (values.profile !== undefined) mkdirSync(values.profile, { recursive: true });
  const profiling =
    values.profile === undefined ? [] : ['--cpu-prof', `--cpu-prof-dir=${resolve(values.profile)}`];
  const further = values['node-options']?.split(' ').filter((option) => option !== '') ?? [];
  return {
    profile: { ...basis, rounds },
    build: { checkout: resolve(values.checkout ?? ownCheckout), nodeOptions: [...profiling, ...further] },
    scenarios,
    wants: (row) => wanted === null || wanted.some((above) => isUnder(row, above)),
    jsonFile: resolve(values.json ?? lastResult),
    isFull: args.length === 0,
  };
}
