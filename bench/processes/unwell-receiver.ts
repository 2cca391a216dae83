/*
 * Endpoints that are not well, in a process of their own. What one does is in its path, and its address may be any of
 * 127.0.0.0/8: the server listens on all of them. Beside them a name server that says nothing.
 */
import { createSocket } from 'node:dgram';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { UnwellReceiverCommand, UnwellReceiverReport } from './unwell-receiver-messages.js';

const SLOW_MS = 9_000;

const say = (report: UnwellReceiverReport) => process.send!(report);

let turned: 'well' | 'hanging' = 'well';

function answer(request: IncomingMessage, response: ServerResponse): void {
  const [, ailment] = request.url!.split('/');
  switch (ailment) {
    case 'hanging':
      return;
    case 'slow':
      setTimeout(() => response.end('ok'), SLOW_MS);
      return;
    case 'turning':
      if (turned === 'well') response.end('ok');
      return;
    default:
      response.writeHead(404).end();
  }
}

const server = createServer((request, response) => {
  request.on('error', () => undefined).resume();
  response.on('error', () => undefined);
  answer(request, response);
});
server.listen(0, '0.0.0.0');
await once(server, 'listening');
const nameServer = createSocket('udp4');
nameServer.bind(0, '127.0.0.1');
await once(nameServer, 'listening');

process.on('disconnect', () => process.exit());
process.on('message', (command: UnwellReceiverCommand) => {
  switch (command.kind) {
    case 'turn':
      turned = command.to;
      return say({ kind: 'turned' });
    case 'drop':
      server.closeAllConnections();
      return say({ kind: 'dropped' });
  }
});
say({
  kind: 'ready',
  port: (server.address() as AddressInfo).port,
  nameServer: `127.0.0.1:${nameServer.address().port}`,
});
