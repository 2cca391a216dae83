import { runWorker } from './run-worker.js';

await runWorker();
