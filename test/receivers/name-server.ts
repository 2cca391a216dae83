import { createSocket, type RemoteInfo, type Socket } from 'node:dgram';
import { once } from 'node:events';
import { isIPv6 } from 'node:net';

/** What a name server says about a name. `silent` says nothing at all. */
export type ZoneAnswer =
  | { readonly addresses: readonly string[]; readonly ttlSeconds?: number }
  | 'no-such-name'
  | 'server-failure'
  | 'silent';

const TYPE_A = 1;
const TYPE_AAAA = 28;
const RCODES = { 'server-failure': 2, 'no-such-name': 3 } as const;

/** A real name server on a UDP port of 127.0.0.1. `zone` is asked for every question and may change its mind. */
export class NameServer {
  readonly questions: string[] = [];

  private constructor(
    private readonly socket: Socket,
    private readonly zone: (name: string) => ZoneAnswer,
  ) {
    socket.on('message', (query, from) => this.answer(query, from));
  }

  static async start(zone: (name: string) => ZoneAnswer): Promise<NameServer> {
    const socket = createSocket('udp4');
    socket.bind(0, '127.0.0.1');
    await once(socket, 'listening');
    return new NameServer(socket, zone);
  }

  /** `address:port`, as a resolver takes it. */
  get address(): string {
    return `127.0.0.1:${this.socket.address().port}`;
  }

  async stop(): Promise<void> {
    this.socket.close();
    await once(this.socket, 'close');
  }

  private answer(query: Buffer, from: RemoteInfo): void {
    const { name, type, end } = readQuestion(query);
    this.questions.push(`${name} ${type === TYPE_A ? 'A' : type === TYPE_AAAA ? 'AAAA' : type}`);
    const said = this.zone(name);
    if (said === 'silent') return;
    const records =
      typeof said === 'string'
        ? []
        : said.addresses
            .filter((address) => isIPv6(address) === (type === TYPE_AAAA))
            .map((address) => addressRecord(address, type, said.ttlSeconds ?? 0));
    const header = Buffer.alloc(12);
    header.writeUInt16BE(query.readUInt16BE(0), 0);
    header.writeUInt16BE(0x8180 | (typeof said === 'string' ? RCODES[said] : 0), 2);
    header.writeUInt16BE(1, 4);
    header.writeUInt16BE(records.length, 6);
    this.socket.send(Buffer.concat([header, query.subarray(12, end), ...records]), from.port, from.address);
  }
}

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = [];
  let at = 12;
  for (let length = query.readUInt8(at); length > 0; length = query.readUInt8(at)) {
    labels.push(query.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  return { name: labels.join('.').toLowerCase(), type: query.readUInt16BE(at + 1), end: at + 5 };
}

function addressRecord(address: string, type: number, ttlSeconds: number): Buffer {
  const data = type === TYPE_A ? Buffer.from(address.split('.').map(Number)) : ipv6Bytes(address);
  const record = Buffer.alloc(12);
  // A pointer to the name in the question.
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(type, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(ttlSeconds, 6);
  record.writeUInt16BE(data.length, 10);
  return Buffer.concat([record, data]);
}

function ipv6Bytes(address: string): Buffer {
  const [left = '', right = ''] = address.split('::');
  const groups = (text: string) => (text === '' ? [] : text.split(':'));
  const missing = 8 - groups(left).length - groups(right).length;
  const all = address.includes('::')
    ? [...groups(left), ...Array<string>(missing).fill('0'), ...groups(right)]
    : groups(left);
  const bytes = Buffer.alloc(16);
  all.forEach((group, index) => bytes.writeUInt16BE(parseInt(group, 16), index * 2));
  return bytes;
}
