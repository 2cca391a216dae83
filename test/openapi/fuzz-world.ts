import { OutboundClient } from '#outbound/outbound-client.js';
import type { OutboundRequest, OutboundResult } from '#outbound/outbound-result.js';
import { NameServer } from '../receivers/name-server.js';
import { AdminApi } from '../support/admin-api.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { until } from '../support/until.js';
import type { Known } from './fuzz-requests.js';

/** Requests that promise more than they send are many, and each takes this long. */
const REQUEST_TIMEOUT_MS = 300;

/** With fewer there would soon be nothing left that a request could be about. */
const LIVE_APPLICATIONS = 3;

/** Names resolve to this machine, and whatever address a URL names, nothing is dialled but this machine. */
class LoopbackClient extends OutboundClient {
  override post(request: OutboundRequest): Promise<OutboundResult> {
    const host = URL.parse(request.url)?.hostname;
    return super.post(host === '127.0.0.1' ? request : { ...request, url: 'http://127.0.0.1:9/' });
  }
}

type Mutable<Lists> = { -readonly [Name in keyof Lists]: string[] };

/** An API with something of everything in its database, and no worker that would change it by itself. */
export class FuzzWorld {
  readonly known: Mutable<Known> = {
    applications: [],
    endpoints: [],
    events: ['event-1', 'event-2'],
    deliveries: [],
    replays: [],
    keys: [],
    cursors: [],
    secrets: [],
  };
  private digestQuery = '';
  private made = 0;

  private constructor(
    readonly api: AdminApi,
    private readonly receiver: RecordingReceiver,
    private readonly nameServer: NameServer,
    private readonly outbound: OutboundClient,
  ) {}

  static async start(): Promise<FuzzWorld> {
    const nameServer = await NameServer.start(() => ({ addresses: ['127.0.0.1'] }));
    const outbound = new LoopbackClient({
      allowPrivateCidrs: ['127.0.0.0/8'],
      resolver: { dnsServers: [nameServer.address] },
    });
    const [api, receiver] = await Promise.all([
      AdminApi.start({ outbound, requestTimeoutMs: REQUEST_TIMEOUT_MS }),
      RecordingReceiver.start(),
    ]);
    const world = new FuzzWorld(api, receiver, nameServer, outbound);
    await world.prepare();
    return world;
  }

  async stop(): Promise<void> {
    await this.api.stop();
    await this.outbound.close();
    await this.receiver.stop();
    await this.nameServer.stop();
  }

  get port(): number {
    return Number(new URL(this.api.url).port);
  }

  /**
   * A digest of everything that is kept, but for the list of what was refused, which refusals are there to fill.
   * Rows by their text, in an order that does not depend on where they lie.
   */
  async digest(): Promise<string> {
    const [row] = await this.api.platform.sql<{ digest: string }>(this.digestQuery);
    return row!.digest;
  }

  /** After a request that changed something: takes up what is there now, and replaces what was deleted. */
  async settle(): Promise<void> {
    await this.learn();
    if (this.known.applications.length < LIVE_APPLICATIONS) await this.addTenants();
  }

  /** One more application of each contract, with what belongs to it. */
  private async addTenants(): Promise<void> {
    const number = (this.made += 1);
    const application = `tenant-${number}`;
    const center = `center-${number}`;
    await this.api.addApplication(application, { retryWaits: ['20ms'] });
    await this.api.addWebhook(application, this.receiver.url);
    await this.make('/v1/applications', {
      id: center,
      name: center,
      contract: 'cortecloud',
      attributes: { companyId: 123, companyInternalCode: 'CENTRAL-01' },
    });
    await this.make(`/v1/applications/${center}/endpoints`, { url: 'https://receiver.example/' });
    for (const id of this.known.events) {
      await this.make('/v1/events', {
        application,
        type: 'cte.event.registered',
        id,
        data: { event_code: '110180', n_seq: '1', protocolo: id },
      });
    }
    await this.learn();
  }

  private async learn(): Promise<void> {
    const { known } = this;
    const idsIn = async (text: string) =>
      (await this.api.platform.sql<{ id: string }>(text)).map(({ id }) => String(id));
    known.deliveries = await idsIn('SELECT id FROM deliveries ORDER BY id DESC LIMIT 20');
    known.replays = await idsIn('SELECT id FROM replays ORDER BY id DESC LIMIT 5');
    known.endpoints = await idsIn('SELECT id FROM endpoints ORDER BY id DESC LIMIT 6');
    known.applications = await idsIn(
      `SELECT id FROM applications WHERE deleted_at IS NULL AND id ~ '^(tenant|center)-' ORDER BY created_at DESC LIMIT 6`,
    );
  }

  private async prepare(): Promise<void> {
    const { api, known } = this;
    const { platform } = api;
    await this.addTenants();
    this.receiver.answer = ({ body }) => ({ status: body.includes('event-2') ? 503 : 200 });
    await platform.startWorker();
    await until(async () => {
      const { delivered = 0, dead = 0 } = await platform.states();
      return delivered > 0 && dead > 0;
    });
    const replay = await this.make('/v1/dead-letters/redeliver', { application: 'tenant-1' });
    await until(async () => (await api.call('GET', `/v1/replays/${replay.id}`)).body.state === 'done');
    await platform.stopWorker();
    await this.addTenants();
    for (const role of ['producer', 'manager', 'operator'] as const) known.secrets.push(await api.key(role));
    known.secrets.push(await api.key('admin', ['tenant-1']));
    const keys = await api.call('GET', '/v1/api-keys?limit=1');
    known.keys.push((keys.body as { items: { id: string }[] }).items[0]!.id);
    known.cursors.push(String(keys.body.nextCursor));
    for (const list of ['events', 'deliveries', 'applications', 'audit']) {
      const { body } = await api.call('GET', `/v1/${list}?limit=1`);
      if (body.nextCursor !== null) known.cursors.push(String(body.nextCursor));
    }
    const tables = await platform.sql<{ name: string }>(
      `SELECT relname AS name FROM pg_class
        WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition
          AND relname NOT IN ('rejections', 'migrations') ORDER BY relname`,
    );
    this.digestQuery = `SELECT md5(concat(${tables
      .map(({ name }) => `(SELECT string_agg(t::text, chr(10) ORDER BY t::text) FROM "${name}" t)`)
      .join(", '/', ")})) AS digest`;
  }

  private async make(path: string, body: object): Promise<{ id: string }> {
    const { status, body: made, text } = await this.api.call('POST', path, body);
    if (status >= 300) throw new Error(`POST ${path}: ${text}`);
    return made as { id: string };
  }
}
