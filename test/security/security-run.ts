import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { placeCluster } from '#apps/standalone/src/embedded-postgres/cluster-place.js';
import { runningDatabaseUrl } from '#apps/standalone/src/embedded-postgres/embedded-postgres.js';
import pg from 'pg';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { type FoundSecret, SecretSearch } from '../support/secret-search.js';
import { StandaloneProcess } from '../support/standalone-process.js';
import { TestAuthority } from '../support/tls.js';
import { answerCarelessly } from './careless-receiver.js';

const API_REFERENCE = new URL('../../docs/reference/api.md', import.meta.url);

/** Places that somebody else than a caller of the API reads. */
const WRITTEN = /^\d+: the (log|output|command line)/;

/** An answer; `body` is its parsed JSON, whose shape is what the run looks at. */
export interface Answer {
  readonly status: number;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any
  readonly body: any;
}

/** What a program that ended by itself left. */
export interface Ended {
  readonly exitCode: number | null;
  readonly output: string;
}

/**
 * The real process on a database and with keys of its own making. Every secret that is used is written down here,
 * and everything that is emitted is kept, to be searched afterwards.
 */
export class SecurityRun {
  readonly secrets = new SecretSearch();
  /** Parts of URLs: whoever may read an endpoint sees them, and nothing but its answers and its row has them. */
  readonly urlSecrets = new SecretSearch();
  /** By where it was seen. */
  private readonly emitted = new Map<string, string>();
  private process!: StandaloneProcess;
  private starts = 0;
  /** Of the admin. */
  authorization = '';

  private constructor(
    private readonly dataDir: string,
    private readonly authority: TestAuthority,
    readonly receiver: RecordingReceiver,
  ) {}

  static async begin(): Promise<SecurityRun> {
    const authority = await TestAuthority.trusted();
    const receiver = await RecordingReceiver.start({ tls: await authority.identity() });
    receiver.answer = answerCarelessly;
    const dataDir = await mkdtemp(join(tmpdir(), 'entrega-security-'));
    const run = new SecurityRun(dataDir, authority, receiver);
    await run.start();
    run.authorization = `Bearer ${run.secrets.add('admin.key', await run.fileText('admin.key'))}`;
    run.secrets.add('postgres.password', await run.fileText('postgres.password'));
    run.encryptionKeySecret('encryption.key', await run.fileText('encryption.key'));
    return run;
  }

  async start(): Promise<void> {
    this.process = await StandaloneProcess.start(this.options());
    this.starts += 1;
  }

  async stop(): Promise<void> {
    await this.process.end('SIGTERM');
    this.keep(`the log of start ${this.starts}`, this.process.output);
  }

  /** Ends everything and removes what it left. */
  async end(): Promise<void> {
    await this.process.end('SIGKILL');
    await this.receiver.stop();
    await this.authority.withdraw();
    const { home } = await placeCluster(this.dataDir);
    for (const folder of [home, this.dataDir]) await rm(folder, { recursive: true, force: true });
  }

  /** Runs a program to its end in the environment of the process. */
  async runToEnd(program: string, env: Record<string, string> = {}): Promise<Ended> {
    const ended = await StandaloneProcess.runToEnd(program, this.options(env));
    this.keep(`the output of ${program} with ${Object.keys(env).join()}`, ended.output);
    return ended;
  }

  keep(where: string, text: string): void {
    this.emitted.set(`${this.emitted.size}: ${where}`, text);
  }

  /** A call with the admin key. */
  call(method: string, path: string, body?: unknown): Promise<Answer> {
    return this.send(method, path, this.authorization, body === undefined ? undefined : JSON.stringify(body));
  }

  /**
   * A call as its caller may botch it. The whole answer is kept but for what was issued in it: that comes back once
   * and is a secret from then on.
   */
  async send(method: string, path: string, authorization: string | null, body?: string): Promise<Answer> {
    const response = await fetch(this.process.url + path, {
      method,
      headers: {
        ...(authorization !== null && { authorization }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body }),
    });
    const text = await response.text();
    const isJson = /json/.test(response.headers.get('content-type') ?? '');
    const answer: Answer = { status: response.status, body: isJson ? JSON.parse(text) : null };
    const where = `the answer ${response.status} to ${method} ${path}`;
    const issues = method !== 'GET' && response.ok && isJson;
    this.keep(
      where,
      JSON.stringify([...response.headers]) + (issues ? this.withoutIssued(where, answer) : text),
    );
    return answer;
  }

  private withoutIssued(where: string, answer: Answer): string {
    const { issuedCredentials, key, ...rest } = answer.body as {
      issuedCredentials?: Record<string, string>;
      key?: string;
    };
    for (const [name, value] of Object.entries({ ...issuedCredentials, ...(key !== undefined && { key }) }))
      this.secrets.add(`the ${name} of ${where}`, value);
    return JSON.stringify(rest);
  }

  /** Puts another encryption key in front. */
  async addEncryptionKey(): Promise<void> {
    const key = this.encryptionKeySecret('the second encryption key', randomBytes(32).toString('base64'));
    await this.writeEncryptionKeys([key, ...(await this.encryptionKeys())]);
  }

  async removeOldEncryptionKeys(): Promise<void> {
    await this.writeEncryptionKeys((await this.encryptionKeys()).slice(0, 1));
  }

  async encryptionKeys(): Promise<string[]> {
    return (await this.fileText('encryption.key')).split(',');
  }

  /** Every row of every table, bytes in hex, and what the database server wrote. */
  async keepDatabase(): Promise<void> {
    const client = new pg.Client({ connectionString: await runningDatabaseUrl(this.dataDir) });
    await client.connect();
    try {
      const tables = await client.query<{ name: string }>(
        `SELECT relname AS name FROM pg_class
          WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r', 'p') AND NOT relispartition`,
      );
      for (const { name } of tables.rows) {
        const { rows } = await client.query<{ row: string }>(`SELECT t::text AS row FROM "${name}" t`);
        this.keep(`table ${name}`, rows.map(({ row }) => row).join('\n'));
      }
    } finally {
      await client.end();
    }
    const { home } = await placeCluster(this.dataDir);
    const logs = readdirSync(join(home, 'data/log')).map((file) => join(home, 'data/log', file));
    for (const file of [...logs, join(home, 'data.start.log')])
      this.keep(`the log ${file}`, readFileSync(file, 'utf8'));
  }

  /** The command lines of the process and of the database server: every user of the machine can read them. */
  async keepCommandLines(): Promise<void> {
    const { home } = await placeCluster(this.dataDir);
    const [postmaster] = readFileSync(join(home, 'data/postmaster.pid'), 'utf8').split('\n');
    for (const pid of [this.process.child.pid, postmaster])
      this.keep(`the command line of ${pid}`, readFileSync(`/proc/${pid}/cmdline`, 'utf8'));
  }

  /**
   * Reads every route that can be read, in the order of the reference.
   *
   * @param ids what the places of each route take, by collection: `{endpoints: [...]}`
   */
  async readEverything(ids: Readonly<Record<string, readonly string[]>>): Promise<void> {
    const reference = readFileSync(API_REFERENCE, 'utf8');
    const routes = [...reference.matchAll(/^\| `GET (\/\S*)`/gm)].map(([, route]) => route!);
    for (const route of routes) for (const path of paths(route, ids)) await this.call('GET', path);
  }

  /** Every secret that was emitted, and where. */
  found(): FoundSecret[] {
    return [...this.emitted].flatMap(([where, text]) => [
      ...this.secrets.findIn(where, text),
      ...(WRITTEN.test(where) ? this.urlSecrets.findIn(where, text) : []),
    ]);
  }

  /** What was kept from places of this name, together. */
  seen(where: RegExp): string {
    return [...this.emitted].flatMap(([place, text]) => (where.test(place) ? [text] : [])).join('\n');
  }

  /** What the process has written since its last start. */
  get output(): string {
    return this.process.output;
  }

  get url(): string {
    return this.process.url;
  }

  private options(env: Record<string, string> = {}) {
    return {
      databaseUrl: null,
      dataDir: this.dataDir,
      env: {
        // Not set: they are generated into DATA_DIR.
        ADMIN_KEY: '',
        ENCRYPTION_KEY: '',
        LOG_LEVEL: 'trace',
        NODE_EXTRA_CA_CERTS: this.authority.certificateFile,
        ...env,
      },
    };
  }

  private encryptionKeySecret(name: string, base64: string): string {
    this.secrets.add(`${name} in hex`, Buffer.from(base64, 'base64').toString('hex'));
    return this.secrets.add(name, base64);
  }

  private async fileText(name: string): Promise<string> {
    return (await readFile(join(this.dataDir, name), 'utf8')).trim();
  }

  private async writeEncryptionKeys(keys: readonly string[]): Promise<void> {
    const path = join(this.dataDir, 'encryption.key');
    await writeFile(path, keys.join(','));
    await chmod(path, 0o600);
  }
}

/** The paths of a route, with each id in its place: `endpoints/:id` takes those of `endpoints`. */
function paths(route: string, ids: Readonly<Record<string, readonly string[]>>): string[] {
  const place = /([^/]+)\/:\w+/.exec(route);
  if (!place) return [route];
  const [found, collection] = place as unknown as [string, string];
  const known = ids[collection];
  if (!known) throw new Error(`${route} is new here: tell the run which ids of ${collection} there are.`);
  return known.flatMap((id) => paths(route.replace(found, `${collection}/${encodeURIComponent(id)}`), ids));
}

/** A secret of visible ASCII with every character that some writer escapes. */
export function awkwardSecret(): string {
  return `${randomBytes(12).toString('base64url')}"\\/<&'+=%20>${randomBytes(6).toString('base64')}`;
}
