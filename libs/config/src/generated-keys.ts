import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { StandaloneConfig } from './config.js';
import { valueOf } from './read-settings.js';
import { SETTINGS } from './settings.js';

export interface StandaloneKeys {
  readonly adminKey: string;
  readonly encryptionKeys: readonly Buffer[];
  /** The file that holds the admin key, to tell the newcomer; null when it was set. */
  readonly adminKeyFile: string | null;
}

/**
 * The keys of a standalone process: those that are set, else those in `DATA_DIR`, generated at the first start.
 * Losing `encryption.key` loses every secret in the database.
 *
 * @param readOrCreate returns what a file of mode 600 holds, creating it with what the second argument makes
 * @throws ConfigError under the file's path when it does not hold a key
 */
export async function standaloneKeys(
  config: Pick<StandaloneConfig, 'adminKey' | 'encryptionKeys'>,
  dataDir: string,
  readOrCreate: (path: string, generate: () => string) => Promise<string>,
): Promise<StandaloneKeys> {
  const adminKeyFile = join(dataDir, 'admin.key');
  const encryptionKeyFile = join(dataDir, 'encryption.key');
  return Object.freeze({
    adminKey:
      config.adminKey ??
      valueOf(adminKeyFile, SETTINGS.ADMIN_KEY, await readOrCreate(adminKeyFile, newAdminKey)),
    encryptionKeys:
      config.encryptionKeys ??
      valueOf(
        encryptionKeyFile,
        SETTINGS.ENCRYPTION_KEY,
        await readOrCreate(encryptionKeyFile, newEncryptionKey),
      ),
    adminKeyFile: config.adminKey === null ? adminKeyFile : null,
  });
}

function newAdminKey(): string {
  return `entrega_${randomBytes(32).toString('base64url')}`;
}

function newEncryptionKey(): string {
  return randomBytes(32).toString('base64');
}
