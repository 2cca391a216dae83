/*
 * Lets plain Node run the TypeScript sources, decorators included (`node --import …/source-loader.mjs x.ts`):
 * for the processes that tests start. Jest has its own transform.
 */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { fileURLToPath } from 'node:url';
import { transformSync } from '@swc/core';
import { swcOptions } from './swc-options.mjs';

registerHooks({
  resolve(specifier, context, nextResolve) {
    const fromSource = context.parentURL?.endsWith('.ts') && /^\.{1,2}\//.test(specifier);
    return nextResolve(fromSource ? specifier.replace(/\.js$/, '.ts') : specifier, {
      ...context,
      conditions: ['source', ...context.conditions],
    });
  },
  load(url, context, nextLoad) {
    if (!url.endsWith('.ts')) return nextLoad(url, context);
    const filename = fileURLToPath(url);
    const { code } = transformSync(readFileSync(filename, 'utf8'), { filename, ...swcOptions });
    return { format: 'module', source: code, shortCircuit: true };
  },
});
