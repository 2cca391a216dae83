import { startStandalone } from '../processes/standalone-platform.js';
import { onPlatform } from './on-platform.js';
import { Pipeline, PIPELINE_ROWS } from './pipeline.js';
import type { Scenario } from './scenario.js';

/** The pipeline in one process with its own PostgreSQL, as `npm start` runs it. */
export const standalone: Scenario = {
  name: 'standalone',
  rows: PIPELINE_ROWS.map((row) => `standalone/${row}`),
  run: (context, wanted) =>
    onPlatform(context, startStandalone, async (platform) => {
      const pipeline = await Pipeline.prepare(context, 'standalone', platform);
      await pipeline.play(wanted);
    }),
};
