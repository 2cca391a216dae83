import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { StandaloneProcess } from '../support/standalone-process.js';

it('does not start on a DATA_DIR or a key that others can read, and says the cure', async () => {
  const [openFolder, openKey] = await Promise.all(
    ['folder', 'key'].map((name) => mkdtemp(join(tmpdir(), `entrega-open-${name}-`))),
  );
  const start = (dataDir: string) =>
    StandaloneProcess.runToEnd('standalone/src/main', {
      databaseUrl: null,
      dataDir,
      env: { ADMIN_KEY: '', ENCRYPTION_KEY: '' },
    });
  try {
    for (const folder of [openFolder!, openKey!]) {
      const key = join(folder, 'encryption.key');
      await writeFile(key, Buffer.alloc(32).toString('base64'));
      await chmod(key, folder === openKey ? 0o604 : 0o600);
    }
    await chmod(openFolder!, 0o710);
    const [onFolder, onKey] = await Promise.all([start(openFolder!), start(openKey!)]);
    expect(onFolder).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining(`chmod 700 '${openFolder}'`),
    });
    expect(onKey).toMatchObject({
      exitCode: 1,
      output: expect.stringContaining(`encryption.key has mode 604: others can read it. Run: chmod 600`),
    });
  } finally {
    for (const folder of [openFolder!, openKey!]) await rm(folder, { recursive: true, force: true });
  }
});
