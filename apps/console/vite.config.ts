import { fileURLToPath } from 'node:url';
import { defineConfig } from 'vite';

/** Built into dist/, from where the admin app serves it; `vite apps/console` serves it as it is written. */
export default defineConfig({
  base: '/console/',
  resolve: { conditions: ['source', 'module', 'browser', 'development|production'] },
  // Files, never data: URLs, which the page's policy forbids.
  build: {
    outDir: fileURLToPath(new URL('../../dist/apps/console', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    target: 'es2023',
    rolldownOptions: {
      onLog: (level, log, handle) => {
        // Marks of server components, which nothing here is.
        if (log.code !== 'MODULE_LEVEL_DIRECTIVE') handle(level, log);
      },
    },
  },
  server: { proxy: { '/v1': 'http://127.0.0.1:8080', '/readyz': 'http://127.0.0.1:8080' } },
});
