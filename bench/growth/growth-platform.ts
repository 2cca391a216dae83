import { SecretBox } from '#storage/secret-box.js';
import type { CaretakerProcess } from '../processes/caretaker-process.js';
import { type DatabasePlatform, startOnDatabase } from '../processes/database-platform.js';
import type { ProductBuild } from '../processes/product-process.js';
import { writeHistory } from './history.js';

/** Endpoints among which the history is spread. */
const ENDPOINTS = 5_000;

/** The all-in-one process over a database that already holds a month of deliveries. */
export function startOnHistory(
  build: ProductBuild,
  caretaker: CaretakerProcess,
  deliveries: number,
  say: (line: string) => void,
): Promise<DatabasePlatform> {
  return startOnDatabase(build, caretaker, {
    fill: async (database, encryptionKey) => {
      const writing = performance.now();
      const credentials = new SecretBox([encryptionKey]).seal('endpoint-credentials', '{"token":"growth"}');
      await writeHistory(database, { deliveries, endpoints: ENDPOINTS, credentials, now: new Date() });
      say(`${deliveries} deliveries written in ${Math.round((performance.now() - writing) / 1_000)} s`);
    },
  });
}
