import { PROCESS_SETTINGS, type ProcessName } from './config.js';
import { type Setting, type SettingName, SETTINGS } from './settings.js';

const PROCESSES = Object.keys(PROCESS_SETTINGS) as ProcessName[];
const NAMES = Object.keys(SETTINGS) as SettingName[];

/** `docs/reference/settings.md`. */
export function settingsReference(): string {
  const rows = NAMES.map((name) => {
    const setting: Setting = SETTINGS[name];
    return `| ${setting.secret ? `\`${name}\`, \`${name}_FILE\`` : `\`${name}\``} | ${setting.about} | ${withoutIt(setting)} | ${readers(name)} |`;
  });
  return `<!-- Generated from libs/config. Run the tests with UPDATE_GENERATED=1 to write it again. -->

# Settings

All settings are environment variables. They are read once at the start; every fault is reported together, by
name, and the process exits. An empty variable counts as not set. A secret may stand in a file instead, whose path
\`NAME_FILE\` gives; line ends around it are cut off.

| setting | what it is | without it | read by |
|---|---|---|---|
${rows.join('\n')}

**Bold**: the process does not start without it.
`;
}

/** `.env.example`. */
export function environmentExample(): string {
  const entries = NAMES.map((name) => {
    const setting: Setting = SETTINGS[name];
    const without = setting.default ? '' : `\n# Without it: ${setting.otherwise ?? 'none'}.`;
    return `# ${setting.about}${without}\n#${name}=${setting.default ?? ''}\n`;
  });
  return `# Generated from libs/config; docs/reference/settings.md says more. Every line is the default.\n\n${entries.join('\n')}`;
}

function withoutIt(setting: Setting): string {
  if (setting.otherwise !== undefined) return setting.otherwise;
  return setting.default ? `\`${setting.default}\`` : 'none';
}

function readers(name: SettingName): string {
  return PROCESSES.flatMap((process) => {
    const { uses, requires }: { uses: readonly SettingName[]; requires: readonly SettingName[] } =
      PROCESS_SETTINGS[process];
    if (!uses.includes(name)) return [];
    return requires.includes(name) ? `**${process}**` : process;
  }).join(', ');
}
