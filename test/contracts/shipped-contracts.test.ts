import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { EXAMPLE_PUBLISHED } from '#contracts/cortecloud/vectors.js';
import { CONTRACT_NAMES, contractNamed } from '#contracts/registry.js';
import { PAYLOAD_VECTORS } from '#contracts/tf-fiscal/vectors.js';
import { type ContractSample, itKeepsThePromisesOfEveryContract } from './contract-promises.js';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const SAMPLES: Readonly<Record<string, ContractSample>> = {
  'tf-fiscal': {
    type: PAYLOAD_VECTORS[0]?.type ?? '',
    data: PAYLOAD_VECTORS[0]?.data ?? '',
    credentials: { token: 'tok en' },
  },
  cortecloud: {
    type: 'service.status_changed',
    data: EXAMPLE_PUBLISHED.data,
    attributes: EXAMPLE_PUBLISHED.attributes,
    credentials: { ownKey: 'chave própria' },
  },
};

for (const [name, sample] of Object.entries(SAMPLES)) {
  itKeepsThePromisesOfEveryContract(contractNamed(name), sample);
}

describe('the shipped contracts', () => {
  it('all have a sample here, and so keep the promises of every contract', () => {
    expect(Object.keys(SAMPLES).sort()).toEqual([...CONTRACT_NAMES].sort());
  });

  it('are named nowhere but in their folder and the registry: nothing else treats one specially', () => {
    const sources = ['apps', 'libs', 'migrations']
      .flatMap((folder) =>
        readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' }).map((file) =>
          join(folder, file),
        ),
      )
      .filter((file) => /(?<!\.test|\.generated)\.tsx?$/.test(file))
      .filter((file) => !/^libs\/(?:contracts\/src\/(?:registry\.ts|[^/]+\/)|[^/]+\/test\/)/.test(file));
    expect(sources.length).toBeGreaterThan(100);
    const named = sources.filter((file) => {
      // Doc comments may give one as an example, and so may what documents the API and the command line.
      const code = readFileSync(join(ROOT, file), 'utf8')
        .replace(/\/\*\*?[\s\S]*?\*\/|\/\/.*/g, '')
        .replace(/\b(?:contract|name|example): '[^']*'/g, '');
      return CONTRACT_NAMES.some((name) => code.includes(`'${name}'`) || code.includes(`"${name}"`));
    });
    expect(named).toEqual([]);
  });
});
