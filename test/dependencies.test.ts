import { readFile } from 'node:fs/promises';
import { describe, expect, it } from '@jest/globals';

/** The part of package.json and package-lock.json that decides what an installation fetches and runs. */
interface Manifest {
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
  /** True: its install script runs. False: it has one, and it is not needed. */
  readonly allowScripts: Readonly<Record<string, boolean>>;
}

interface Locked {
  readonly version: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly hasInstallScript?: true;
}

const EXACT_VERSION = /^\d+\.\d+\.\d+(-[0-9A-Za-z.-]+)?$/;

async function read<Content>(name: string): Promise<Content> {
  return JSON.parse(await readFile(new URL(`../${name}`, import.meta.url), 'utf8')) as Content;
}

/** `node_modules/a/node_modules/@b/c` is the package `@b/c`. */
function nameOf(path: string): string {
  return path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
}

const manifest = await read<Manifest>('package.json');
const { packages } = await read<{ packages: Readonly<Record<string, Locked>> }>('package-lock.json');

describe('an installation', () => {
  const { '': root, ...locked } = packages;
  const installed = Object.entries(locked).map(([path, entry]) => ({ name: nameOf(path), ...entry }));

  it('runs no install script that package.json does not name in allowScripts, and names none that is gone', () => {
    const withScript = installed.filter((entry) => entry.hasInstallScript).map(({ name }) => name);
    expect([...new Set(withScript)].sort()).toEqual(Object.keys(manifest.allowScripts).sort());
  });

  it('fetches exact versions, the same for everybody', () => {
    const direct = { ...manifest.dependencies, ...manifest.devDependencies };
    expect(Object.entries(direct).filter(([, version]) => !EXACT_VERSION.test(version))).toEqual([]);
    const lockedDirect = Object.keys(direct).map((name) => [name, locked[`node_modules/${name}`]?.version]);
    expect(Object.fromEntries(lockedDirect)).toEqual(direct);
    expect(root).toMatchObject({ dependencies: manifest.dependencies });
  });

  it('takes every package from the registry, by its digest', () => {
    const unproven = installed.filter(({ integrity, resolved }) => !integrity || resolved !== undefined);
    expect(unproven.map(({ name }) => name)).toEqual([]);
  });
});
