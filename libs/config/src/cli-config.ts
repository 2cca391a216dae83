import { PROCESS_SETTINGS } from './config.js';
import { type Environment, readSettings, secretIn, valueOf } from './read-settings.js';
import { SETTINGS } from './settings.js';

/** What the command line calls, and how. */
export interface CliConfig {
  readonly url: string;
  readonly key: string | null;
  /** Where a standalone process on this machine would keep the keys that it generated. */
  readonly dataDir: string;
}

/** What was given on the command line itself, and stands above the environment. */
export interface CliOverrides {
  readonly url?: string | undefined;
  /** The path of a file that holds the key: the key itself would be seen by all users of the machine. */
  readonly keyFile?: string | undefined;
}

/** @throws ConfigError naming every fault */
export function loadCliConfig(overrides: CliOverrides, env: Environment = process.env): CliConfig {
  const { url, keyFile } = overrides;
  const rest = {
    ...env,
    ...(url !== undefined && { ENTREGA_URL: '' }),
    ...(keyFile !== undefined && { ENTREGA_KEY: '', ENTREGA_KEY_FILE: '' }),
  };
  const settings = readSettings(rest, PROCESS_SETTINGS['npx entrega']);
  return Object.freeze({
    url: url === undefined ? settings.ENTREGA_URL : valueOf('--url', SETTINGS.ENTREGA_URL, url),
    key:
      keyFile === undefined
        ? settings.ENTREGA_KEY
        : valueOf('--key-file', SETTINGS.ENTREGA_KEY, secretIn(keyFile, '--key-file')),
    dataDir: settings.DATA_DIR,
  });
}
