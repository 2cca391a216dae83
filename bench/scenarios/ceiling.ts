import { CpuWindow } from '../measure/cpu-window.js';
import { RawSenderProcess } from '../processes/raw-sender-process.js';
import { deliveredBody, publishBody } from '../rounds/event-bodies.js';
import { throughput, type ThroughputFigures } from '../rounds/round-figures.js';
import { assertAllAccepted, assertNothingLost } from '../rounds/round-verdict.js';
import { withinLimit } from '../rounds/time-limit.js';
import { FULL_LOADS, type FullLoad } from './full-load.js';
import { CONNECTIONS } from './pipeline.js';
import { playRow } from './play-row.js';
import type { BenchContext, Scenario } from './scenario.js';

const BARE_ROW = 'ceiling/bare';
const LIMIT_MS = 60_000;
const WARM_UP_EVENTS = 10_000;

/**
 * What there is to reach: signing and POSTing alone, against the same receiver. And what the bench itself can reach:
 * its loader against its receiver with nothing between them.
 */
export const ceiling: Scenario = {
  name: 'ceiling',
  rows: [...FULL_LOADS.map(({ row }) => `ceiling/${row}`), BARE_ROW],
  async run(context, wanted) {
    const sender = await RawSenderProcess.start();
    try {
      const events = await eventsOf(context, () => sendRaw(context, sender, FULL_LOADS[0]!, WARM_UP_EVENTS));
      for (const load of FULL_LOADS) {
        const id = `ceiling/${load.row}`;
        if (!wanted.has(id)) continue;
        const title = `raw undici and HMAC, ${load.title}`;
        await playRow(context, { id, kind: 'full-load', title }, () =>
          sendRaw(context, sender, load, events),
        );
      }
    } finally {
      await sender.end();
    }
    if (wanted.has(BARE_ROW)) {
      const events = await eventsOf(context, () => loadBare(context, WARM_UP_EVENTS));
      const title = 'loader against the receiver, nothing between';
      await playRow(context, { id: BARE_ROW, kind: 'full-load', title }, () => loadBare(context, events));
    }
  },
};

/** Warms up in two rounds and returns how many events take as long as a round should. */
async function eventsOf(
  { profile }: BenchContext,
  playWarmUp: () => Promise<ThroughputFigures>,
): Promise<number> {
  await playWarmUp();
  const { deliveriesPerSecond } = await playWarmUp();
  return Math.round(deliveriesPerSecond * profile.fullLoadSeconds);
}

async function sendRaw(
  { receiver, nextRound }: BenchContext,
  sender: RawSenderProcess,
  { size, endpoints }: FullLoad,
  events: number,
): Promise<ThroughputFigures> {
  const round = nextRound();
  await receiver.expect({ round, events, deliveriesPerEvent: 1, refusals: 0 });
  const cpu = CpuWindow.open({
    sender: { root: sender.pid, without: [] },
    receiver: { root: receiver.pid, without: [] },
  });
  const origins = receiver.origins.slice(0, endpoints);
  const connectionsPerOrigin = endpoints === 1 ? CONNECTIONS : 1;
  const sending = sender.send({ round, events, origins, connectionsPerOrigin, body: deliveredBody(size) });
  const startedAtMs = await withinLimit(sending, LIMIT_MS, 'Sending');
  const use = cpu.close();
  const receipts = await receiver.report();
  assertNothingLost(receipts, events);
  const lastAtMs = receipts.acknowledgedAtMs.reduce((last, time) => Math.max(last, time), 0);
  return throughput(events, (lastAtMs - startedAtMs) / 1_000, use, ['sender']);
}

async function loadBare(
  { receiver, loader, nextRound }: BenchContext,
  events: number,
): Promise<ThroughputFigures> {
  const cpu = CpuWindow.open({
    loader: { root: loader.pid, without: [] },
    receiver: { root: receiver.pid, without: [] },
  });
  const publishing = loader.publish({
    round: nextRound(),
    events,
    origin: receiver.origins[0]!,
    path: '/hook',
    apiKey: 'none',
    bodies: [publishBody('bare', FULL_LOADS[0]!.size)],
    pace: {
      kind: 'full',
      connections: CONNECTIONS,
      maxUndelivered: 0,
      deliveriesPerEvent: 0,
      countPort: null,
    },
  });
  const published = await withinLimit(publishing, LIMIT_MS, 'Publishing');
  const use = cpu.close();
  assertAllAccepted(published);
  const { sentAtMs, answeredAtMs } = published;
  const lastAtMs = answeredAtMs.reduce((last, time) => Math.max(last, time), 0);
  return throughput(events, (lastAtMs - sentAtMs[0]!) / 1_000, use, ['loader', 'receiver']);
}
