/*
 * The ceiling: what a plain loop reaches that only signs and POSTs, with undici, as many headers as the contract and
 * no database. In a process of its own, so that its CPU time can be told apart.
 */
import { createHmac } from 'node:crypto';
import { Pool } from 'undici';
import { monotonicMs } from '../measure/monotonic.js';
import { EVENT_ID_PLACEHOLDER, eventId } from '../rounds/event-id.js';
import type { RawSend, RawSenderReport } from './raw-sender-messages.js';

const SECRET = 'secret-of-the-bench-0123456789abcdef';
const TOKEN = 'token-of-the-bench';

const pools = new Map<string, Pool>();
const say = (report: RawSenderReport) => process.send!(report);

async function send(command: RawSend): Promise<void> {
  const startedAtMs = monotonicMs();
  let next = 0;
  const lane = async (pool: Pool, first: number) => {
    for (let place = first; place < command.events; place = next++) await post(pool, command, place);
  };
  const lanes = command.origins.flatMap((origin) => {
    const pool = poolOf(origin, command.connectionsPerOrigin);
    return Array.from({ length: command.connectionsPerOrigin }, () => pool);
  });
  await Promise.all(lanes.map((pool) => lane(pool, next++)));
  say({ kind: 'sent', startedAtMs });
}

async function post(pool: Pool, { round, body }: RawSend, place: number): Promise<void> {
  const id = eventId(round, place);
  const bytes = Buffer.from(body.replace(EVENT_ID_PLACEHOLDER, id));
  const timestamp = String(Math.floor(Date.now() / 1_000));
  const response = await pool.request({
    method: 'POST',
    path: '/hook',
    headers: {
      'Content-Type': 'application/json; charset=utf-8',
      'X-Tffiscal-Event': 'cte.event.registered',
      'X-Tffiscal-Event-Id': id,
      'X-Tffiscal-Delivery-Id': String(place),
      'X-Tffiscal-Timestamp': timestamp,
      'X-Tffiscal-Signature': createHmac('sha256', SECRET)
        .update(`${timestamp}.`)
        .update(bytes)
        .digest('hex'),
      token: TOKEN,
      'x-token': TOKEN,
    },
    body: bytes,
  });
  if (response.statusCode !== 200) throw new Error(`The receiver answered ${response.statusCode}.`);
  await response.body.dump();
}

function poolOf(origin: string, connections: number): Pool {
  const key = `${origin} ${connections}`;
  const pool = pools.get(key) ?? new Pool(origin, { connections });
  pools.set(key, pool);
  return pool;
}

process.on('disconnect', () => process.exit());
process.on('message', (command: RawSend) => void send(command));
say({ kind: 'ready' });
