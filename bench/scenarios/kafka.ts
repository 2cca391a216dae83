import { startRoles } from '../processes/roles-platform.js';
import { onPlatform } from './on-platform.js';
import { Pipeline, PIPELINE_ROWS } from './pipeline.js';
import type { Scenario } from './scenario.js';

/** The pipeline as separate ingest, worker and admin over Kafka and PostgreSQL. */
export const kafka: Scenario = {
  name: 'kafka',
  rows: PIPELINE_ROWS.map((row) => `kafka/${row}`),
  run: (context, wanted) =>
    onPlatform(context, startRoles, async (platform) => {
      const pipeline = await Pipeline.prepare(context, 'kafka', platform);
      await pipeline.play(wanted);
    }),
};
