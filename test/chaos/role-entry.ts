/*
 * One process of the platform, for the tests that pull plugs. Arguments: role; connect timeout and longest
 * response timeout in milliseconds, which may be short, so that a lease is over in seconds; how many milliseconds
 * its clock is ahead; after how many it reads the figures of the database, as always where that is empty. It ends with
 * whoever started it: they hold its standard input.
 */
const [role, connectTimeoutMs, maxResponseTimeoutMs, clockAheadMs, statsEveryMs] = process.argv.slice(2);
const deadlines = {
  connectTimeoutMs: Number(connectTimeoutMs),
  maxResponseTimeoutMs: Number(maxResponseTimeoutMs),
};

const figuresEveryMs = statsEveryMs ? Number(statsEveryMs) : undefined;

process.stdin.once('end', () => process.kill(process.pid, 'SIGKILL')).resume();
process.stdin.unref();

if (Number(clockAheadMs) !== 0) {
  // Before anything else is loaded: also libraries shall see the wrong time.
  const RealDate = Date;
  const now = () => RealDate.now() + Number(clockAheadMs);
  globalThis.Date = new Proxy(RealDate, {
    construct: (_, values) =>
      values.length === 0 ? new RealDate(now()) : (Reflect.construct(RealDate, values as never[]) as Date),
    get: (date, name) => (name === 'now' ? now : (Reflect.get(date, name) as unknown)),
  });
}

switch (role) {
  case 'ingest':
    await (await import('#apps/ingest/src/run-ingest.js')).runIngest(deadlines, figuresEveryMs);
    break;
  case 'worker':
    await (await import('#apps/worker/src/run-worker.js')).runWorker(deadlines);
    break;
  case 'admin':
    await (await import('#apps/admin/src/run-admin.js')).runAdmin(figuresEveryMs);
    break;
  default:
    throw new Error(`There is no role ${role}.`);
}

export {};
