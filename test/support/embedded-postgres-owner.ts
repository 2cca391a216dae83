/*
 * Stands for the standalone app in embedded-postgres.test.ts, which kills it: starts the database of the
 * DATA_DIR given as argument, prints its process id, stops it on SIGTERM.
 */
import { once } from 'node:events';
import { startEmbeddedPostgres } from '#apps/standalone/src/embedded-postgres/embedded-postgres.js';

const log = { info: () => undefined, warn: () => undefined };
const postgres = await startEmbeddedPostgres({ dataDir: process.argv[2] as string, log });
process.stdout.write(`${postgres.pid}\n`);
const untilTold = setInterval(() => undefined, 60_000);
await once(process, 'SIGTERM');
clearInterval(untilTold);
await postgres.stop();
