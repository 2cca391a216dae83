import { spawnSync } from 'node:child_process';
import { describe, it } from '@jest/globals';

/** Whether the machine has a command. */
export function isInstalled(command: string): boolean {
  return spawnSync(command, ['--version'], { stdio: 'ignore' }).error === undefined;
}

/**
 * `it` and `describe` for tests that need a command. Where the machine lacks it they are skipped, and their names say
 * what would help.
 *
 * @param packageName that brings the command, where it is named otherwise
 */
export function whereInstalled(command: string, packageName = command) {
  if (isInstalled(command)) return { it, describe };
  const named = (name: string) => `${name} (needs ${command}: apt-get install ${packageName})`;
  return {
    it: (name: string, test: () => unknown, timeoutMs?: number) =>
      it.skip(named(name), async () => void (await test()), timeoutMs),
    describe: (name: string, tests: () => void) => describe.skip(named(name), tests),
  };
}
