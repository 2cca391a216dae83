/*
 * The endpoints of the bench, in a process of their own: a hundred origins on loopback addresses, each answering
 * `200 ok` at once and noting when an event came. Written over bare sockets, for it shares the machine with what is
 * measured and must not be its limit.
 */
import { createServer, type Server, type Socket } from 'node:net';
import { monotonicMs } from '../measure/monotonic.js';
import { RequestReader } from './request-reader.js';
import type { Expectation, ReceiverCommand, ReceiverReport } from './receiver-messages.js';

const ORIGINS = 100;
const COUNT_INTERVAL_MS = 2;
const OK = Buffer.from('HTTP/1.1 200 OK\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nok');
const REFUSED = Buffer.from(
  'HTTP/1.1 500 Internal Server Error\r\nContent-Type: text/plain\r\nContent-Length: 2\r\n\r\nno',
);

let expected: Expectation | null = null;
let acknowledgedAtMs = new Float64Array();
let acknowledgements = new Uint16Array();
let refusals = new Uint16Array();
let strangers = 0;
let connections = 0;
/** Deliveries acknowledged in this round, repeated ones aside. */
let acknowledged = 0;

const say = (report: ReceiverReport) => process.send!(report);

/** Takes note of one request and returns its answer. */
function answer(round: number, place: number): Buffer {
  if (expected === null || round !== expected.round || !(place < expected.events)) {
    strangers++;
    return OK;
  }
  if (refusals[place]! < expected.refusals) {
    refusals[place]!++;
    return REFUSED;
  }
  if (acknowledgements[place] === 0) acknowledgedAtMs[place] = monotonicMs();
  if (++acknowledgements[place]! > expected.deliveriesPerEvent) return OK;
  if (++acknowledged === expected.events * expected.deliveriesPerEvent) say({ kind: 'complete' });
  return OK;
}

/** Each on an address of its own, for a webhook's host is its receiver's. */
async function openOrigin(index: number): Promise<string> {
  const server = createServer({ noDelay: true }, (socket) => {
    connections++;
    const reader = new RequestReader((request) => {
      socket.write(answer(request.round, request.place));
    });
    socket.on('data', (chunk) => reader.take(chunk));
    socket.on('error', () => socket.destroy());
  });
  const host = `127.0.0.${index + 2}`;
  return `http://${host}:${await listen(server, host)}`;
}

/** Whoever connects is told the running count, as 32 bits in network order, whenever it has grown. */
async function openCount(): Promise<number> {
  const listeners = new Set<Socket>();
  const server = createServer({ noDelay: true }, (socket) => {
    listeners.add(socket);
    socket.on('error', () => socket.destroy()).on('close', () => listeners.delete(socket));
    socket.resume();
  });
  let told = 0;
  setInterval(() => {
    if (told === acknowledged) return;
    told = acknowledged;
    const count = Buffer.allocUnsafe(4);
    count.writeUInt32BE(told);
    for (const listener of listeners) listener.write(count);
  }, COUNT_INTERVAL_MS);
  return listen(server, '127.0.0.1');
}

function listen(server: Server, host: string): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject).listen(0, host, () => {
      const address = server.address();
      if (address !== null && typeof address === 'object') resolve(address.port);
    });
  });
}

process.on('disconnect', () => process.exit());
process.on('message', (command: ReceiverCommand) => {
  switch (command.kind) {
    case 'expect':
      expected = command;
      acknowledgedAtMs = new Float64Array(command.events);
      acknowledgements = new Uint16Array(command.events);
      refusals = new Uint16Array(command.events);
      strangers = 0;
      connections = 0;
      acknowledged = 0;
      return say({ kind: 'expecting' });
    case 'report':
      return say({ kind: 'receipts', acknowledgedAtMs, acknowledgements, refusals, strangers, connections });
  }
});

const origins = await Promise.all(Array.from({ length: ORIGINS }, (_, index) => openOrigin(index)));
say({ kind: 'ready', origins, countPort: await openCount() });
