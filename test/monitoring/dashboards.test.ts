import { readdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from '@jest/globals';
import { dashboardJson } from '../../scripts/dashboards/dashboard.js';
import { DASHBOARDS } from '../../scripts/dashboards/dashboards.js';
import { read } from './rule-files.js';

const FOLDER = 'ops/grafana/dashboards';

/** Compared with scripts/dashboards; UPDATE_GENERATED=1 writes the files instead. */
describe('the dashboards', () => {
  it.each(DASHBOARDS)('$name.json is what its source says', async (dashboard) => {
    const file = `${FOLDER}/${dashboard.name}.json`;
    if (process.env['UPDATE_GENERATED'] === '1')
      await writeFile(fileURLToPath(new URL(`../../${file}`, import.meta.url)), dashboardJson(dashboard));
    expect(read(file)).toBe(dashboardJson(dashboard));
  });

  it('are all that lies there, which is what Grafana shows', async () => {
    const files = await readdir(new URL(`../../${FOLDER}`, import.meta.url));
    expect(files.sort()).toEqual(DASHBOARDS.map(({ name }) => `${name}.json`).sort());
  });

  it.each(DASHBOARDS)('$name: every panel says what it shows, once', ({ rows }) => {
    const panels = rows.flatMap(({ panels: inRow }) => inRow);
    expect(
      panels.filter(({ description }) => !description.endsWith('.') && !description.includes('npx')),
    ).toEqual([]);
    const titles = panels.map(({ title }) => title);
    expect(new Set(titles).size).toBe(titles.length);
  });

  it('of the overview, what flows, whose trouble it is and since when stand on the first screen', () => {
    const { panels } = JSON.parse(read(`${FOLDER}/overview.json`)) as {
      panels: { type: string; title: string; gridPos: { y: number; h: number } }[];
    };
    const rows = panels.filter(({ type }) => type === 'row').map(({ title }) => title);
    expect(rows.slice(0, 3)).toEqual(['Do deliveries flow?', 'Is it us, or a receiver?', 'Since when?']);
    // A screen of 1080 lines shows 24 of the grid's, of 38 each.
    const bottom = panels.find(({ title }) => title === 'Publishing')!.gridPos.y;
    expect(bottom).toBeLessThanOrEqual(24);
  });
});
