import { readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { BenchResult } from './bench-result.js';
import { withFigures } from './readme-figures.js';

const README = new URL('../../README.md', import.meta.url);
/** The last full run. */
export const LATEST = fileURLToPath(new URL('../results/latest.json', import.meta.url));

/** Brings README.md up to the last full run. */
export function writeFigures(): void {
  writeFileSync(README, readmes().wanted);
}

export function hasPresentFigures(): boolean {
  const { present, wanted } = readmes();
  return present === wanted;
}

function readmes(): { present: string; wanted: string } {
  const present = readFileSync(README, 'utf8');
  const result = JSON.parse(readFileSync(LATEST, 'utf8')) as BenchResult;
  return { present, wanted: withFigures(present, result) };
}
