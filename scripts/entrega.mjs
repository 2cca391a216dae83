#!/usr/bin/env node
/*
 * `npx entrega`: the command line, as it was compiled. npx puts the Node of node_modules first on the path; this
 * file runs on whatever Node is there, to say so where it is another one.
 */
import { existsSync } from 'node:fs';

const OLDEST_NODE = 24;
const main = new URL('../dist/apps/cli/src/main.js', import.meta.url);

if (Number(process.versions.node.split('.')[0]) < OLDEST_NODE) {
  refuse(
    `Node ${process.versions.node} is too old: entrega runs on Node ${OLDEST_NODE}. ` +
      'Start it as "npx entrega" in its checkout, which takes the Node that npm installed there.',
  );
} else if (!existsSync(main)) {
  refuse('The command line is not compiled yet. Run: npm run build');
} else {
  await import(main.href);
}

function refuse(message) {
  console.error(message);
  process.exitCode = 2;
}
