import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { whereInstalled } from './support/where-installed.js';

const ROOT = new URL('../', import.meta.url);
const SECRETS = { POSTGRES_PASSWORD: 'p', ADMIN_KEY: 'admin-key-of-compose', ENCRYPTION_KEY: 'k' };

const { it: itWithCompose } = whereInstalled('docker-compose');

function config(env: Record<string, string>) {
  const { PATH = '' } = process.env;
  return spawnSync('docker-compose', ['config'], {
    cwd: fileURLToPath(ROOT),
    env: { PATH, ...env },
    encoding: 'utf8',
  });
}

describe('docker-compose.yml', () => {
  itWithCompose('is accepted', () => {
    const { status, stderr, stdout } = config(SECRETS);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    for (const service of ['postgres', 'kafka', 'migrate', 'ingest', 'worker-1', 'worker-2', 'admin']) {
      expect(stdout).toContain(`\n  ${service}:\n`);
    }
  });

  itWithCompose('asks for each secret that is not set, by name, with the command that makes one', () => {
    for (const name of Object.keys(SECRETS)) {
      const others = Object.fromEntries(Object.entries(SECRETS).filter(([other]) => other !== name));
      const { status, stderr } = config(others);
      expect(status).not.toBe(0);
      expect(stderr).toContain(name);
      expect(stderr).toContain('openssl rand');
    }
  });

  it('runs every image at a pinned version, and our own as an ordinary user with Node itself as the process', async () => {
    const compose = await readFile(new URL('docker-compose.yml', ROOT), 'utf8');
    const dockerfile = await readFile(new URL('Dockerfile', ROOT), 'utf8');
    const images = [...compose.matchAll(/^\s+image: (.+)$/gm), ...dockerfile.matchAll(/^FROM (\S+)/gm)];
    expect(images.length).toBeGreaterThanOrEqual(6);
    for (const [, image] of images) expect(image).toMatch(/:v?\d+\.\d+/);
    expect(dockerfile).toMatch(/^USER node$/m);
    expect([...dockerfile.matchAll(/^CMD (.+)$/gm)].map(([, command]) => command)).toEqual([
      expect.stringContaining('["node"'),
    ]);
    for (const [, command] of compose.matchAll(/^\s+command: (.+)$/gm))
      expect(command).toMatch(/^\['(node|postgres)'/);
  });

  it('starts what watches it under the profile monitoring alone, on this machine alone, with ops/ read-only', async () => {
    const compose = await readFile(new URL('docker-compose.yml', ROOT), 'utf8');
    const services = compose.split(/\n(?= {2}[\w-]+:)/);
    for (const name of ['prometheus', 'alertmanager', 'grafana']) {
      const service = services.find((part) => part.startsWith(`  ${name}:\n    image`));
      expect(service).toContain('    profiles: [monitoring]\n');
      expect(service).toMatch(/ports:\n {6}- '127\.0\.0\.1:\d+:\d+'\n/);
    }
    const mounts = [...compose.matchAll(/- (\.\/\S+)/g)].map(([, mount]) => mount!);
    expect(mounts).toHaveLength(4);
    for (const mount of mounts) {
      const [source, , mode] = mount.split(':');
      expect([existsSync(new URL(source!, ROOT)), mode]).toEqual([true, 'ro']);
    }
  });
});
