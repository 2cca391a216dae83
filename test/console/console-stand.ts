import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { CuttableDatabase } from '../support/cuttable-database.js';
import { RecordingReceiver } from '../support/recording-receiver.js';
import { StandaloneProcess } from '../support/standalone-process.js';
import { createTestDatabase, type TestDatabase } from '../support/test-database.js';
import { until } from '../support/until.js';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
/** Where Debian has it. */
export const CHROMIUM = '/usr/bin/chromium';
/** For root in a small container, and nothing that it would do by itself over the network. */
const CHROMIUM_ARGS = [
  ...['--no-sandbox', '--disable-dev-shm-usage', '--disable-gpu', '--disable-quic', '--no-first-run'],
  ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
];

/** A tab, and what went wrong in it. */
export interface Tab {
  readonly page: Page;
  /** Errors of scripts and of the policy; a refused call is none. */
  readonly faults: string[];
  /** Calls that were answered with 403: what a role may not do is not to be tried. */
  readonly forbidden: string[];
}

/** The console as `npm run build` builds it, served by the real process, in Debian's Chromium. */
export class ConsoleStand {
  private readonly receivers: RecordingReceiver[] = [];

  private constructor(
    private readonly testDatabase: TestDatabase,
    readonly database: CuttableDatabase,
    private readonly dataDir: string,
    private readonly env: Readonly<Record<string, string>>,
    readonly browser: Browser,
    /** Another one after {@link restart}. */
    public running: StandaloneProcess,
  ) {}

  /** @param env of the process */
  static async start(env: Readonly<Record<string, string>> = {}): Promise<ConsoleStand> {
    const vite = [join(ROOT, 'node_modules/vite/bin/vite.js'), 'build', 'apps/console'];
    const [testDatabase, dataDir, browser] = await Promise.all([
      createTestDatabase(),
      mkdtemp(join(tmpdir(), 'entrega-console-')),
      chromium.launch({ executablePath: CHROMIUM, args: CHROMIUM_ARGS }),
      // The tests run the sources, and so nobody else has built it.
      promisify(execFile)(process.execPath, vite, { cwd: ROOT }),
    ]);
    const database = await CuttableDatabase.inFrontOf(testDatabase.url);
    const running = await StandaloneProcess.start({ databaseUrl: database.url, dataDir, env });
    return new ConsoleStand(testDatabase, database, dataDir, env, browser, running);
  }

  async remove(): Promise<void> {
    await this.browser.close();
    await this.running.end('SIGTERM');
    await Promise.all(this.receivers.map((receiver) => receiver.stop()));
    await this.database.remove();
    await rm(this.dataDir, { recursive: true, force: true });
    await this.testDatabase.drop();
  }

  async restart(): Promise<void> {
    const { dataDir, env } = this;
    this.running = await StandaloneProcess.start({ databaseUrl: this.database.url, dataDir, env });
  }

  /** A tab of a browser that was never here, at the entry of the key. */
  async tab(options: BrowserContextOptions = {}): Promise<Tab> {
    const context = await this.browser.newContext({ viewport: { width: 1280, height: 800 }, ...options });
    const page = await context.newPage();
    page.setDefaultTimeout(10_000);
    const tab: Tab = { page, faults: [], forbidden: [] };
    page.on('pageerror', (error) => tab.faults.push(error.message));
    page.on('dialog', (dialog) => {
      tab.faults.push(`dialog: ${dialog.message()}`);
      void dialog.dismiss();
    });
    page.on('console', (message) => {
      const isOfCall = message.text().startsWith('Failed to load resource');
      if (message.type() === 'error' && !isOfCall) tab.faults.push(message.text());
    });
    page.on('response', (response) => {
      if (response.status() === 403) tab.forbidden.push(response.url());
    });
    await page.goto(`${this.running.url}/console`);
    return tab;
  }

  /** A tab in which a key was entered. */
  async enteredTab(key: string, options: BrowserContextOptions = {}): Promise<Tab> {
    const tab = await this.tab(options);
    await enterKey(tab.page, key);
    await tab.page.locator('nav.rooms').waitFor();
    return tab;
  }

  async key(name: string, role: string, applications?: string[]): Promise<string> {
    const { body } = await this.running.call('POST', '/v1/api-keys', { name, role, applications });
    return (body as { key: string }).key;
  }

  /** An application with one webhook, `target` of a receiver of its own. */
  async register(id: string, settings: object = {}, { name = id, target = '/hook' } = {}) {
    const receiver = await RecordingReceiver.start();
    this.receivers.push(receiver);
    await this.done('PUT', `/v1/applications/${id}`, {
      name,
      contract: 'tf-fiscal',
      settings: { timeout: '2s', ...settings },
    });
    const webhook = { url: receiver.urlOf(target), credentials: { token: 'token-of-the-receiver' } };
    const { id: endpoint } = await this.done<{ id: string }>(
      'PUT',
      `/v1/applications/${id}/webhook`,
      webhook,
    );
    return { receiver, endpoint };
  }

  async publish(application: string, ids: readonly string[]): Promise<void> {
    const data = { event_code: '110180', n_seq: '1', protocolo: '1' };
    for (let from = 0; from < ids.length; from += 1_000) {
      const events = ids
        .slice(from, from + 1_000)
        .map((id) => ({ application, type: 'cte.event.registered', id, data }));
      await this.done('POST', '/v1/events/batch', { events });
    }
  }

  /** Until an endpoint has so many dead letters. */
  async untilDead(endpoint: string, count: number): Promise<void> {
    const path = `/v1/dead-letters/groups?endpoint=${endpoint}`;
    const counted = async () => (await this.done<{ counted: number }>('GET', path)).counted;
    await until(async () => (await counted()) === count, { timeoutMs: 40_000, intervalMs: 200 });
  }

  /** A call that must succeed; its answer. */
  async done<Body>(method: string, path: string, body?: unknown): Promise<Body> {
    const answer = await this.running.call(method, path, body);
    if (answer.status >= 300)
      throw new Error(`${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
    return answer.body;
  }
}

export async function enterKey(page: Page, key: string): Promise<void> {
  await page.locator('input').first().fill(key);
  await page.locator('button[type=submit]').click();
}
