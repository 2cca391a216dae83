import { readFileSync } from 'node:fs';
import { type Setting, type SettingName, SETTINGS, type SettingValue } from './settings.js';

/** What is wrong with one setting, which value it has (never of a secret), and what to set. */
export interface SettingFault {
  readonly name: string;
  readonly message: string;
}

/** A process that is configured wrongly does not start. Says everything that is wrong at once. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError';

  constructor(readonly faults: readonly SettingFault[]) {
    super(
      `${faults.length === 1 ? 'A setting is' : `${faults.length} settings are`} wrong:\n` +
        faults.map(({ name, message }) => `  ${name}: ${message}`).join('\n'),
    );
  }
}

export type Environment = Readonly<Record<string, string | undefined>>;

/** Settings that may be absent and have no default are null unless the process requires them. */
type Settings<Used extends SettingName, Required extends SettingName> = {
  readonly [Name in Used]: (typeof SETTINGS)[Name] extends { default: string }
    ? SettingValue<Name>
    : Name extends Required
      ? SettingValue<Name>
      : SettingValue<Name> | null;
};

/**
 * Reads the settings that a process uses. A variable that is empty counts as not set, as compose files leave it.
 *
 * @param names.uses all that the process reads
 * @param names.requires those of them without which it cannot run
 * @throws ConfigError naming every fault
 */
export function readSettings<Used extends SettingName, Required extends Used = never>(
  env: Environment,
  names: { uses: readonly Used[]; requires?: readonly Required[] },
): Settings<Used, Required> {
  const faults: SettingFault[] = [];
  const values: Partial<Record<SettingName, unknown>> = {};
  for (const name of names.uses) {
    const setting: Setting = SETTINGS[name];
    try {
      const text = textOf(name, setting, env) ?? setting.default;
      if (text !== undefined) values[name] = valueOf(name, setting, text);
      else if ((names.requires as readonly SettingName[] | undefined)?.includes(name)) {
        const ways = setting.secret ? `${name} or ${name}_FILE` : name;
        throw new ConfigError([
          { name, message: `It is required and not set. ${setting.about} Set ${ways}.` },
        ]);
      } else values[name] = null;
    } catch (error) {
      if (!(error instanceof ConfigError)) throw error;
      faults.push(...error.faults);
    }
  }
  if (faults.length > 0) throw new ConfigError(faults);
  return values as Settings<Used, Required>;
}

/** The value of a setting that did not come from the environment. @throws ConfigError under `label` */
export function valueOf<Value>(label: string, setting: Setting<Value>, text: string): Value {
  const result = setting.schema.safeParse(text);
  if (result.success) return result.data;
  const cure = result.error.issues.map((issue) => issue.message).join(' ');
  // What stands before an @ may be a password, whatever the setting is.
  const mayBeSecret = setting.secret || text.includes('@');
  const found = mayBeSecret ? 'The value is not valid.' : `${JSON.stringify(text)} is not valid.`;
  throw new ConfigError([{ name: label, message: `${found} ${cure}` }]);
}

function textOf(name: string, setting: Setting, env: Environment): string | undefined {
  const text = env[name] === '' ? undefined : env[name];
  if (!setting.secret) return text;
  const fileName = `${name}_FILE`;
  const path = env[fileName] === '' ? undefined : env[fileName];
  if (path === undefined) return text;
  if (text !== undefined) {
    throw new ConfigError([{ name: fileName, message: `Both ${name} and ${fileName} are set. Remove one.` }]);
  }
  return secretIn(path, fileName);
}

/** What a file holds, without the line ends around it. @throws ConfigError under `label` */
export function secretIn(path: string, label: string): string {
  try {
    return readFileSync(path, 'utf8').trim();
  } catch (error) {
    const reason = (error as NodeJS.ErrnoException).code;
    throw new ConfigError([
      {
        name: label,
        // Not the path: it may be the secret itself, set under the wrong name.
        message: `The file cannot be read (${reason}). Set the path of a readable file.`,
      },
    ]);
  }
}
