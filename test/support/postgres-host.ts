/*
 * Runs the PostgreSQL of one test run in a process apart: prints its URL, and stops it when standard input
 * ends, however the test run ended; then removes the folder given as argument as well. A Ctrl-C does not reach
 * it, for it is started in a session of its own.
 */
import { rm } from 'node:fs/promises';
import { startEphemeralPostgres } from '#apps/standalone/src/embedded-postgres/embedded-postgres.js';

const testRunEnded = new Promise((resolve) => process.stdin.once('end', resolve).resume());
// Nobody may be left to read the URL; the server must be stopped all the same.
process.stdout.on('error', () => undefined);
const postgres = await startEphemeralPostgres();
process.stdout.write(`${postgres.databaseUrl}\n`);
await testRunEnded;
await postgres.stop();
await rm(process.argv[2] as string, { recursive: true, force: true });
