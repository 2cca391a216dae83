import './node-version.js';
import { loadKeyRotationConfig } from '#config/config.js';
import { presentEncryptionKeys } from '#config/generated-keys.js';
import { SECOND_MS } from '#domain/durations.js';
import { Database } from '#storage/database.js';
import { rotateEncryptionKey } from '#storage/encryption-key-rotation.js';
import { SecretBox } from '#storage/secret-box.js';
import { runningDatabaseUrl } from './embedded-postgres/embedded-postgres.js';
import { rotationReport } from './rotation-report.js';
import { readSecretFile } from './secret-file.js';

const say = (line: string) => process.stdout.write(`${line}\n`);

/**
 * `npm run rotate-encryption-key`: seals every secret anew with the first key of ENCRYPTION_KEY, beside the
 * processes that run, and ends with 0 when no other key is needed any more.
 */
try {
  const config = loadKeyRotationConfig();
  const secretBox = new SecretBox(await presentEncryptionKeys(config, readSecretFile));
  const database = await Database.connect({
    url: config.databaseUrl ?? (await runningDatabaseUrl(config.dataDir)),
    poolSize: 1,
    applicationName: 'entrega-rotate-encryption-key',
    statementTimeoutMs: 0,
  });
  try {
    let saidAtMs = performance.now();
    const result = await rotateEncryptionKey(database, secretBox, ({ column, resealed }) => {
      if (performance.now() - saidAtMs < SECOND_MS) return;
      saidAtMs = performance.now();
      say(`Sealed anew so far: ${resealed}, now in ${column.table}.${column.name} …`);
    });
    const { lines, complete } = rotationReport(result, secretBox.keyIds);
    for (const line of lines) say(line);
    if (!complete) process.exitCode = 1;
  } finally {
    await database.close();
  }
} catch (error) {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exitCode = 1;
}
