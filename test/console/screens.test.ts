import { mkdir } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { until } from '../support/until.js';
import { whereInstalled } from '../support/where-installed.js';
import { CHROMIUM, ConsoleStand, enterKey } from './console-stand.js';

/*
 * How the screens are, whoever looks at them: with what eyes, on what width, by keyboard, in Portuguese; and what they make
 * of texts that a receiver or a producer chose to do harm.
 */

const ORDERS = 40;
const PICTURES = fileURLToPath(new URL('../../docs/console/', import.meta.url));

let stand: ConsoleStand;
let maria: string;
/** A place, and what is on it once it is read. */
let screens: Record<string, readonly [path: string, shows: string]>;

const { describe } = whereInstalled(CHROMIUM, 'chromium');

async function goTo(page: Page, name: string): Promise<void> {
  const [path, shows] = screens[name]!;
  await page.goto(`${stand.running.url}/console${path}`);
  await page.locator(shows).first().waitFor();
}

async function idOf(application: string): Promise<string> {
  const path = `/v1/deliveries?application=${application}&limit=1`;
  return (await stand.done<{ items: { id: string }[] }>('GET', path)).items[0]!.id;
}

async function violations(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page }).setLegacyMode();
  if (rules) axe.withRules(rules);
  const { violations: found } = await axe.analyze();
  return found.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`));
}

describe('the screens of the console', () => {
  beforeAll(async () => {
    stand = await ConsoleStand.start();
    maria = await stand.key('maria', 'operator');
    const shop = await stand.register('shop');
    shop.receiver.answer = () => ({ status: 200, body: '{"received":true}' });
    await stand.publish(
      'shop',
      Array.from({ length: ORDERS }, (_, index) => `order-${1_001 + index}`),
    );
    await until(() => shop.receiver.received.length === ORDERS, { timeoutMs: 20_000 });
    const acme = await stand.register('acme', { retryWaits: ['50ms'], breakerThreshold: 0 });
    acme.receiver.answer = () => ({ status: 401, body: '{"error":"the token has ended"}' });
    await stand.publish(
      'acme',
      Array.from({ length: 12 }, (_, index) => `invoice-${index}`),
    );
    await stand.untilDead(acme.endpoint, 12);
    const closed = await stand.register('night', { retryWaits: ['50ms'], breakerThreshold: 3 });
    closed.receiver.answer = () => ({ status: 503, body: 'the disk is full' });
    await stand.publish('night', ['night-1', 'night-2', 'night-3']);
    await stand.untilDead(closed.endpoint, 3);

    screens = {
      overview: ['/', '.figures ~ .needs li'],
      'dead letters': ['/dead-letters', '.groups tbody tr'],
      redeliver: [`/redeliver?endpoint=${acme.endpoint}`, 'output.big:not(:has-text("…"))'],
      delivery: [`/deliveries?application=acme&open=${await idOf('acme')}`, '.attempt-head'],
      endpoint: [`/endpoints?open=${closed.endpoint}`, '.pane:has(table) section dl'],
      events: ['/events?application=shop', '.row:has-text("order-")'],
      application: ['/applications?open=shop', '.pane h2'],
      attempts: ['/attempts', '[role=grid] .empty'],
      audit: ['/audit', '.rows .row'],
      search: ['/search?q=order-1001', 'main a:has-text("order-1001")'],
    };
  }, 60_000);
  afterAll(() => stand.remove(), 30_000);

  it('hold to WCAG as far as axe can tell, in light and dark', async () => {
    const { page, faults } = await stand.enteredTab(maria);
    const found: Record<string, string[]> = {};
    for (const name of Object.keys(screens)) {
      await page.emulateMedia({ colorScheme: 'light' });
      await goTo(page, name);
      if (name === 'delivery') await page.locator('.attempt-head').first().click();
      const light = await violations(page);
      await page.emulateMedia({ colorScheme: 'dark' });
      const dark = await violations(page, ['color-contrast']);
      if (light.length + dark.length > 0) found[name] = [...light, ...dark];
    }
    expect(found).toEqual({});
    expect(faults).toEqual([]);
    await page.context().close();
  }, 60_000);

  it('are worked by keyboard: to a list by Tab, along it by arrows, opened by Enter, closed by Escape', async () => {
    const { page } = await stand.enteredTab(maria);
    await goTo(page, 'events');
    const grid = page.getByRole('grid', { name: 'Events' });
    const isThere = () => page.evaluate<boolean>(`document.activeElement.role === 'grid'`);
    for (let tabs = 0; tabs < 40 && !(await isThere()); tabs++) await page.keyboard.press('Tab');
    expect(await isThere()).toBe(true);
    for (const key of ['End', 'ArrowUp']) await page.keyboard.press(key);
    const last = grid.locator(`.row-current[aria-rowindex="${ORDERS}"]`);
    const [event] = /order-\d+/.exec(await last.innerText())!;
    await page.keyboard.press('Enter');
    const pane = page.getByRole('region', { name: 'Opened' });
    await pane.getByText(event).first().waitFor();
    expect(new URL(page.url()).searchParams.get('open')).toBe(`shop/${event}`);
    await page.keyboard.press('Escape');
    await pane.waitFor({ state: 'detached' });
    await page.keyboard.press('/');
    await page.keyboard.type('order-1003');
    await page.keyboard.press('Enter');
    await page.getByRole('list', { name: 'Found' }).getByText('shop · order-1003').waitFor();
    await page.context().close();
  });

  it('fit a phone: nothing has to be pushed aside to be read', async () => {
    const { page } = await stand.enteredTab(maria, { viewport: { width: 360, height: 740 } });
    const widths: Record<string, unknown> = {};
    for (const name of Object.keys(screens)) {
      await goTo(page, name);
      widths[name] = await page.evaluate('document.documentElement.scrollWidth');
    }
    expect(widths).toEqual(Object.fromEntries(Object.keys(screens).map((name) => [name, 360])));
    await page.context().close();
  }, 30_000);

  it('speak Portuguese to a browser that does', async () => {
    const { page } = await stand.tab({ locale: 'pt-BR' });
    await page.getByText('Uma chave da API abre o console.').waitFor();
    await enterKey(page, maria);
    await page.getByRole('heading', { name: 'Visão geral' }).waitFor();
    expect(await page.evaluate('document.documentElement.lang')).toBe('pt-BR');
    await page.getByRole('link', { name: 'Não entregues' }).click();
    await page.getByRole('heading', { name: /15 .*endpoint e erro/ }).waitFor();
    await page.context().close();
  });

  // The pictures of the guide; taken anew where the screens have changed.
  if (process.env['UPDATE_SCREENSHOTS'] === '1')
    it('are shown in docs/console', async () => {
      await mkdir(PICTURES, { recursive: true });
      const phone: BrowserContextOptions = { viewport: { width: 360, height: 740 } };
      const desk: BrowserContextOptions = { viewport: { width: 1120, height: 680 } };
      for (const [name, colorScheme, options] of [
        ['overview', 'light', desk],
        ['redeliver', 'light', desk],
        ['delivery', 'light', desk],
        ['endpoint', 'light', desk],
        ['overview', 'dark', desk],
        ['dead letters', 'dark', desk],
        ['delivery', 'dark', desk],
        ['overview', 'light', phone],
      ] as const) {
        const { page } = await stand.enteredTab(maria, { colorScheme, ...options });
        await goTo(page, name);
        if (name === 'delivery') {
          await page.locator('.attempt-head').first().click();
          await page.locator('pre.body').last().waitFor();
        }
        const kind = options === phone ? 'phone' : colorScheme;
        await page.screenshot({ path: `${PICTURES}${name.replace(' ', '-')}-${kind}.png` });
        await page.context().close();
      }
    }, 60_000);

  it('show texts of others as texts: nothing of them runs', async () => {
    const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script>`;
    const { receiver, endpoint } = await stand.register(
      'evil',
      { retryWaits: ['50ms'], breakerThreshold: 0 },
      { name: hostile, target: `/hook?"><script>alert(3)</script>` },
    );
    receiver.answer = () => ({ status: 418, headers: { 'X-Note': hostile }, body: hostile });
    await stand.publish('evil', ['evil-1']);
    await stand.untilDead(endpoint, 1);

    const { page, faults } = await stand.enteredTab(await stand.key(hostile, 'operator'));
    await page.locator('.owner').getByText(hostile).waitFor();
    for (const path of [
      '/applications?open=evil',
      `/endpoints?application=evil&open=${endpoint}`,
      `/deliveries?application=evil&open=${await idOf('evil')}`,
      `/search?q=${encodeURIComponent(hostile)}`,
    ]) {
      await page.goto(`${stand.running.url}/console${path}`);
      await page.locator('main h1').waitFor();
      if (path.startsWith('/deliveries')) {
        await page.locator('.attempt-head').first().click();
        await page.locator('pre.body').last().getByText(hostile).waitFor();
        await page.locator('pre.headers').last().getByText(hostile).waitFor();
      } else if (!path.startsWith('/endpoints')) {
        await page.locator('main').getByText(hostile).first().waitFor();
      } else {
        await page.locator('.pane .url').getByText('script').waitFor();
      }
      expect(await page.locator('img, #root script').count()).toBe(0);
    }
    expect(faults).toEqual([]);

    // Nor would a tag that got into the page: its policy forbids it, and the tab tells.
    await page.evaluate(`document.querySelector('main').innerHTML = ${JSON.stringify(hostile)}`);
    await until(() => faults.length > 0);
    expect(faults.join()).toMatch(/Content Security Policy/);
    expect(faults.join()).not.toContain('dialog');
    await page.context().close();
  }, 30_000);
});
