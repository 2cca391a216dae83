/* A receiver that listens and, once it is stopped, accepts nothing: what has no room in the kernel's queue hangs. */
import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

export type DeafReceiverReport = { readonly kind: 'ready'; readonly port: number };

/** As short as the kernel makes it. */
const QUEUE = 1;

const server = createServer();
server.listen({ port: 0, host: '0.0.0.0', backlog: QUEUE });
await once(server, 'listening');
process.on('disconnect', () => process.exit());
process.send!({ kind: 'ready', port: (server.address() as AddressInfo).port } satisfies DeafReceiverReport);
