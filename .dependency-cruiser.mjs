/*
 * Which part may import which; the design's arrows. test/import-arrows.test.ts holds a matrix of its own
 * against every rule. Tests and the benchmark are free to reach across, the code they
 * test is not.
 */

/** Per library, the other libraries that it may import. Whoever is not named may not be imported. */
const LIBRARIES = {
  domain: [],
  client: [],
  contracts: ['domain'],
  config: ['domain'],
  observability: ['domain'],
  storage: ['domain'],
  transport: ['domain'],
  outbound: ['domain'],
  delivery: ['contracts', 'storage', 'transport', 'outbound', 'domain', 'config', 'observability'],
  registration: ['contracts', 'storage', 'outbound', 'domain', 'config', 'observability'],
  http: ['domain', 'config', 'observability', 'storage'],
};

/** The role apps and the command line stand beside each other; only standalone composes roles. */
const ROLES = ['ingest', 'worker', 'admin', 'cli', 'console'];

const TESTS = '\\.test\\.tsx?$|^libs/[^/]+/test/|^test/|^bench/';

const forbidden = [
  ...Object.entries(LIBRARIES).map(([library, others]) => ({
    name: `${library}-arrows`,
    comment: `libs/${library} may import ${others.length > 0 ? others.join(', ') : 'no other library'}`,
    severity: 'error',
    from: { path: `^libs/${library}/`, pathNot: TESTS },
    to: { path: '^libs/', pathNot: `^libs/(${[library, ...others].join('|')})/` },
  })),
  {
    name: 'known-libraries',
    comment: 'a new library needs its line in .dependency-cruiser.mjs',
    severity: 'error',
    from: { path: '^libs/', pathNot: `^libs/(${Object.keys(LIBRARIES).join('|')})/` },
    to: {},
  },
  {
    name: 'libraries-know-no-apps',
    severity: 'error',
    from: { path: '^(libs|migrations)/', pathNot: TESTS },
    to: { path: '^apps/' },
  },
  {
    name: 'only-storage-migrates',
    comment: 'migrations are listed by libs/storage and stand on nothing of ours',
    severity: 'error',
    from: { path: '^(apps|libs)/', pathNot: `^libs/storage/|${TESTS}` },
    to: { path: '^migrations/' },
  },
  {
    name: 'migrations-are-frozen',
    comment: 'a landed migration must not change with the code around it',
    severity: 'error',
    from: { path: '^migrations/', pathNot: TESTS },
    to: { path: '^(libs|apps)/' },
  },
  ...ROLES.map((role) => ({
    name: `${role}-stands-alone`,
    severity: 'error',
    from: { path: `^apps/${role}/`, pathNot: TESTS },
    to: { path: '^apps/', pathNot: `^apps/${role}/` },
  })),
  {
    name: 'cli-is-a-client',
    comment: 'the command line knows what the API tells, and no more',
    severity: 'error',
    from: { path: '^apps/cli/', pathNot: TESTS },
    to: { path: '^libs/', pathNot: '^libs/(client|config|domain)/' },
  },
  {
    name: 'console-is-a-client',
    comment: 'the console knows what the API tells, and no more',
    severity: 'error',
    from: { path: '^apps/console/', pathNot: TESTS },
    to: { path: '^libs/(?!client/)' },
  },
  {
    name: 'nothing-of-node-in-browsers',
    severity: 'error',
    from: { path: '^(apps/console/src|libs/client)/', pathNot: TESTS },
    to: { dependencyTypes: ['core'] },
  },
  {
    name: 'roles-compose-no-clients',
    severity: 'error',
    from: { path: '^apps/(?!cli/|console/)', pathNot: TESTS },
    to: { path: '^apps/(cli|console)/|^libs/client/' },
  },
  {
    name: 'domain-is-pure',
    comment: 'no framework, no database, no network, no files: node:crypto at most',
    severity: 'error',
    from: { path: '^libs/domain/', pathNot: TESTS },
    to: {
      dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'],
      pathNot: '^(node:)?crypto$',
    },
  },
  {
    name: 'contracts-are-pure',
    comment: 'zod and node:crypto, nothing else from outside',
    severity: 'error',
    from: { path: '^libs/contracts/', pathNot: TESTS },
    to: {
      dependencyTypes: ['core', 'npm', 'npm-dev', 'npm-optional', 'npm-peer'],
      pathNot: '^(node:)?crypto$|node_modules/zod/',
    },
  },
  {
    name: 'no-tests-in-production',
    severity: 'error',
    from: { path: '^(apps|libs|migrations)/', pathNot: TESTS },
    to: { path: TESTS },
  },
  {
    name: 'no-development-packages-in-production',
    severity: 'error',
    // What the console imports is built into its files.
    from: { path: '^(apps|libs|migrations)/', pathNot: `^apps/console/|${TESTS}` },
    to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['type-only'] },
  },
  {
    name: 'verifiers-share-no-code',
    comment: 'a verifier that imported the signer would agree with its mistakes',
    severity: 'error',
    from: { path: '^test/verifiers/', pathNot: '\\.test\\.ts$' },
    to: { path: '^(apps|libs)/' },
  },
  { name: 'no-cycles', severity: 'error', from: {}, to: { circular: true } },
  { name: 'resolvable', severity: 'error', from: {}, to: { couldNotResolve: true } },
];

export default {
  forbidden,
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    // Imports of types are arrows too.
    tsPreCompilationDeps: true,
    enhancedResolveOptions: {
      conditionNames: ['source', 'import', 'node', 'default'],
      exportsFields: ['exports'],
      extensions: ['.ts', '.tsx', '.js', '.mjs'],
    },
  },
};
