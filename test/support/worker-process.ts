import { DeliveryWorker } from '#delivery/delivery-worker.js';
import { systemClock } from '#domain/clock.js';
import { createLogger } from '#observability/logger.js';
import { OutboundClient } from '#outbound/outbound-client.js';
import { Database } from '#storage/database.js';
import { SecretBox } from '#storage/secret-box.js';
import { InProcessTransport } from '#transport/in-process/in-process-transport.js';
import { testMetrics } from './test-metrics.js';

/**
 * A worker as a process of its own, so that a test can stop or kill it. Arguments: database URL, key (base64),
 * connect timeout and longest response timeout in milliseconds. Its log goes to standard output.
 */
const [url = '', key = '', connectTimeoutMs = '', maxResponseTimeoutMs = ''] = process.argv.slice(2);

const worker = new DeliveryWorker({
  database: await Database.connect({ url, poolSize: 4, applicationName: 'worker-process' }),
  transport: new InProcessTransport(() => undefined),
  outbound: new OutboundClient({ allowPrivateCidrs: ['127.0.0.0/8'] }),
  secretBox: new SecretBox([Buffer.from(key, 'base64')]),
  clock: systemClock,
  random: Math.random,
  logger: createLogger({ role: 'worker-process', level: 'info', format: 'json' }),
  metrics: testMetrics(),
  deadlines: {
    connectTimeoutMs: Number(connectTimeoutMs),
    maxResponseTimeoutMs: Number(maxResponseTimeoutMs),
  },
  concurrency: 64,
  operatorUrl: null,
});
await worker.start();
process.on('SIGTERM', () => void worker.stop().then(() => process.exit(0)));
