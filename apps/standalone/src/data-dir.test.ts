import { afterEach, beforeEach, describe, expect, it, jest } from '@jest/globals';
import { chmod, chown, mkdir, mkdtemp, realpath, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openDataDir } from './data-dir.js';
import { readOrCreateSecretFile } from './secret-file.js';

const itAsRoot = process.getuid?.() === 0 ? it : it.skip;

let parent: string;

beforeEach(async () => {
  parent = await realpath(await mkdtemp(join(tmpdir(), 'entrega-data-dir-')));
});

afterEach(() => rm(parent, { recursive: true, force: true }));

async function modeOf(path: string): Promise<number> {
  return (await stat(path)).mode & 0o777;
}

describe('DATA_DIR', () => {
  it('is made with mode 700, folders above it included', async () => {
    expect(await openDataDir(join(parent, 'a/b'))).toBe(join(parent, 'a/b'));
    expect(await modeOf(join(parent, 'a/b'))).toBe(0o700);
  });

  it('is closed when it is open and empty', async () => {
    await mkdir(join(parent, 'empty'));
    await chmod(join(parent, 'empty'), 0o755);
    await openDataDir(join(parent, 'empty'));
    expect(await modeOf(join(parent, 'empty'))).toBe(0o700);
  });

  it('is refused when it is open and holds something, with the command that closes it', async () => {
    await writeFile(join(parent, 'key'), 'secret');
    await chmod(parent, 0o750);
    await expect(openDataDir(parent)).rejects.toThrow(
      `mode 750: other users could read the keys in it. Run: chmod 700`,
    );
  });

  it('is refused where it cannot be made', async () => {
    await writeFile(join(parent, 'file'), '');
    await expect(openDataDir(join(parent, 'file/below'))).rejects.toThrow(/cannot be created \(ENOTDIR\)/);
  });
});

describe('what belongs to somebody else', () => {
  const NOBODY_HERE = 54_321;
  afterEach(() => void jest.restoreAllMocks());

  it('is refused, a DATA_DIR and a secret file alike', async () => {
    const path = join(parent, 'encryption.key');
    await writeFile(path, 'secret', { mode: 0o600 });
    const { uid } = await stat(path);
    jest.spyOn(process, 'getuid').mockReturnValue(NOBODY_HERE);
    await expect(openDataDir(parent)).rejects.toThrow(/belongs to another user.*Run as that user/);
    await expect(readOrCreateSecretFile(path, () => 'x')).rejects.toThrow(
      `belongs to another user (uid ${uid}), who can read and change it. Run: chown ${NOBODY_HERE}`,
    );
  });

  itAsRoot('is let pass for root where root lends the whole folder to that account', async () => {
    const path = join(parent, 'encryption.key');
    await writeFile(path, 'secret', { mode: 0o600 });
    await chown(path, NOBODY_HERE, NOBODY_HERE);
    await expect(readOrCreateSecretFile(path, () => 'x')).rejects.toThrow('belongs to another user');
    await chown(parent, NOBODY_HERE, NOBODY_HERE);
    expect(await readOrCreateSecretFile(path, () => 'x')).toBe('secret');
  });
});

describe('a secret file', () => {
  it('is generated once, readable by its owner alone', async () => {
    const path = join(parent, 'admin.key');
    expect(await readOrCreateSecretFile(path, () => 'first')).toBe('first');
    expect(await readOrCreateSecretFile(path, () => 'second')).toBe('first');
    expect(await modeOf(path)).toBe(0o600);
  });

  it('is one secret for all who create it at once', async () => {
    const path = join(parent, 'admin.key');
    const secrets = await Promise.all(
      ['a', 'b', 'c'].map((secret) => readOrCreateSecretFile(path, () => secret)),
    );
    expect(new Set(secrets).size).toBe(1);
  });

  it('is refused when others can read it, or when it is empty', async () => {
    const path = join(parent, 'admin.key');
    await writeFile(path, '', { mode: 0o600 });
    await expect(readOrCreateSecretFile(path, () => 'x')).rejects.toThrow('is empty');
    await writeFile(path, 'secret');
    await chmod(path, 0o640);
    await expect(readOrCreateSecretFile(path, () => 'x')).rejects.toThrow(/mode 640.*chmod 600/);
  });
});
