import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import type { StandaloneConfig } from './config.js';
import { ConfigError, valueOf } from './read-settings.js';
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
  const encryptionKeyFile = encryptionKeyFileIn(dataDir);
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

/**
 * The encryption keys of a standalone process, for a command that runs beside it: those that are set, else those in
 * `DATA_DIR`.
 *
 * @param read returns what a file holds, null where there is none
 * @throws ConfigError where there are neither, or the file does not hold keys
 */
export async function presentEncryptionKeys(
  config: Pick<StandaloneConfig, 'encryptionKeys' | 'dataDir'>,
  read: (path: string) => Promise<string | null>,
): Promise<readonly Buffer[]> {
  if (config.encryptionKeys !== null) return config.encryptionKeys;
  const file = encryptionKeyFileIn(config.dataDir);
  const text = await read(file);
  if (text !== null) return valueOf(file, SETTINGS.ENCRYPTION_KEY, text);
  throw new ConfigError([
    { name: 'ENCRYPTION_KEY', message: `It is not set, and there is no ${file}. Set one of the two.` },
  ]);
}

function encryptionKeyFileIn(dataDir: string): string {
  return join(dataDir, 'encryption.key');
}

function newAdminKey(): string {
  return `entrega_${randomBytes(32).toString('base64url')}`;
}

function newEncryptionKey(): string {
  return randomBytes(32).toString('base64');
}
