import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { until } from '../support/until.js';
import { whereInstalled } from '../support/where-installed.js';
import { CHROMIUM, ConsoleStand, enterKey } from './console-stand.js';

/*
 * What the console is for, done by its buttons alone: the first look, dead letters sent again, and an endpoint that was
 * disabled at night.
 */

let stand: ConsoleStand;
let maria: string;

const { describe } = whereInstalled(CHROMIUM, 'chromium');

/** The line to paste, once nothing is under way any more. */
async function endLine(page: Page): Promise<string> {
  const line = page.getByLabel('Line to paste').last();
  await line.waitFor({ timeout: 40_000 });
  return until(
    async () => {
      const text = await line.innerText();
      return !text.includes('under way') && text;
    },
    { timeoutMs: 20_000 },
  );
}

describe('the console, by its buttons', () => {
  beforeAll(async () => {
    stand = await ConsoleStand.start();
    maria = await stand.key('maria', 'operator');
  }, 60_000);
  afterAll(() => stand.remove(), 30_000);

  it('says what is wrong with a key, and shows how it goes within a moment of the right one', async () => {
    const { page, faults } = await stand.tab();
    const policy = (await page.reload())!.headers()['content-security-policy'];
    expect(policy).toMatch(/^default-src 'none'; script-src 'self';/);
    expect(policy).not.toContain('unsafe');

    await enterKey(page, 'no-such-key');
    await page.getByRole('alert').getByText('No such key, or it has ended.').waitFor();
    expect(await page.evaluate('sessionStorage.length')).toBe(0);

    await page.getByLabel('API key').fill(maria);
    const startedAt = performance.now();
    await page.getByRole('button', { name: 'Enter', exact: true }).click();
    const verdict = page.getByRole('status', { name: 'Verdict' });
    await verdict.and(page.locator('[data-tone=good]')).waitFor();
    const tookMs = performance.now() - startedAt;
    expect(tookMs).toBeLessThan(3_000);
    expect(await verdict.innerText()).toBe('Nothing to deliver for five minutes, and nothing is late.');

    const kept = await page.evaluate(
      '[Object.values({ ...sessionStorage }), document.cookie, location.href]',
    );
    expect(kept).toEqual([[maria], '', `${stand.running.url}/console`]);
    expect(JSON.stringify(await page.evaluate('({ ...localStorage })'))).not.toContain(maria);
    const other = await page.context().newPage();
    await other.goto(page.url());
    await other.getByLabel('API key').waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  it('sends 1,204 dead letters again within a minute: one first, the count typed, a line to paste, and the audit', async () => {
    const settings = { retryWaits: ['50ms'], breakerThreshold: 0, concurrencyPerWorker: 64 };
    const { receiver, endpoint } = await stand.register('acme', settings);
    receiver.answer = () => ({ status: 401, body: 'the token has ended' });
    const ids = Array.from({ length: 1_204 }, (_, index) => `night-${index}`);
    await stand.publish('acme', ids);
    await stand.untilDead(endpoint, 1_204);
    receiver.answer = () => ({ status: 200, body: 'thank you' });
    receiver.received.length = 0;

    const { page, faults } = await stand.enteredTab(maria);
    const startedAt = performance.now();
    const need = page.getByRole('listitem').filter({ hasText: /acme · 401 · 1,204 since/ });
    await need.getByRole('link', { name: 'Redeliver' }).click();
    const count = page.getByRole('status', { name: 'Count' });
    await count.getByText('1,204', { exact: true }).waitFor();

    await page.getByRole('button', { name: 'Try one first' }).click();
    const tried = page.getByRole('status', { name: 'Answer to the one tried' });
    await tried.getByText('200 · success').waitFor();
    await tried.getByText('thank you').waitFor();
    expect(receiver.received).toHaveLength(1);

    const all = page.getByRole('button', { name: 'Redeliver 1,203' });
    await all.waitFor();
    await page.getByLabel('Deliveries per second').fill('1000');
    await page.getByLabel(/^Type .* to confirm$/).fill('1204');
    expect(await all.isDisabled()).toBe(true);
    await page.getByLabel(/^Type .* to confirm$/).fill('1,203');
    await all.click();
    await page.getByRole('group', { name: 'Redelivery to acme' }).getByRole('progressbar').waitFor();
    const line = await endLine(page);
    expect(line).toMatch(/^1,203 redelivered to acme by maria \d\d:\d\d–\d\d:\d\d, 1,203 delivered, 0 dead$/);
    const tookMs = performance.now() - startedAt;
    expect(tookMs).toBeLessThan(60_000);
    expect(new Set(receiver.headerValues('x-tffiscal-event-id'))).toEqual(new Set(ids));

    await page.getByRole('region', { name: 'Redeliveries of this tab' }).getByText('Audit').click();
    const entry = page.getByRole('row').filter({ hasText: 'maria' });
    await entry.first().waitFor();
    expect(await entry.first().innerText()).toMatch(/replay \d+/);
    expect(faults).toEqual([]);
    await page.context().close();
  }, 120_000);

  it('stops a redelivery by itself when twenty attempts fail one after the other, and says why', async () => {
    const { receiver, endpoint } = await stand.register('stuck', {
      retryWaits: ['50ms'],
      breakerThreshold: 0,
    });
    receiver.answer = () => ({ status: 500 });
    await stand.publish(
      'stuck',
      Array.from({ length: 80 }, (_, index) => `stuck-${index}`),
    );
    await stand.untilDead(endpoint, 80);
    const { page, faults } = await stand.enteredTab(maria);
    await page.goto(`${stand.running.url}/console/redeliver?endpoint=${endpoint}`);
    await page.getByText('as in the last day').waitFor();
    await page.getByLabel('Deliveries per second').fill('10');
    await page.getByText('"ratePerSecond":10}').waitFor();
    await page.getByRole('button', { name: 'Redeliver 80' }).click();
    await page
      .getByRole('alert')
      .getByText('Stopped, because 20 attempts failed one after the other.')
      .waitFor();
    expect(Number(/^\d+/.exec(await endLine(page))![0])).toBeLessThan(80);
    expect(faults).toEqual([]);
    await page.context().close();
  }, 40_000);

  it('gets an endpoint that was disabled at night going again: tested, enabled, and sent what it missed', async () => {
    const { receiver } = await stand.register('shop', { retryWaits: ['50ms'], breakerThreshold: 3 });
    receiver.answer = () => ({ status: 503, body: 'the disk is full' });
    await stand.publish('shop', ['lost-1', 'lost-2', 'lost-3']);
    const { page, faults } = await stand.enteredTab(maria);
    const need = page
      .getByRole('listitem')
      .filter({ hasText: /shop · since \d\d:\d\d · breaker: 3 consecutive failed attempts/ });
    await need.waitFor();
    await stand.publish('shop', ['missed-1', 'missed-2']);
    await need.getByRole('link', { name: 'Verify, then enable' }).click();

    const verify = page.getByRole('button', { name: 'Send the test delivery' });
    await verify.click();
    const answer = page.getByRole('status', { name: 'Answer to the test delivery' });
    await answer.getByText('the disk is full').waitFor();
    receiver.answer = () => ({ status: 200 });
    await verify.click();
    await answer.getByText('200 · success').waitFor();
    await page.getByRole('button', { name: 'Enable', exact: true }).click();
    await page.getByText('2 were kept back while it was disabled.').waitFor();
    await page.getByRole('button', { name: 'Send these 2' }).click();

    expect(await endLine(page)).toMatch(/^2 redelivered to shop by maria .*, 2 delivered, 0 dead$/);
    expect(receiver.headerValues('x-tffiscal-event-id')).toEqual(
      expect.arrayContaining(['missed-1', 'missed-2']),
    );
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('heading', { name: 'Needs you' }).waitFor();
    await need.waitFor({ state: 'detached' });
    expect(faults).toEqual([]);
    await page.context().close();
  }, 60_000);

  it('shows a key what it may do and no more, and makes no call that would be forbidden', async () => {
    const producer = await stand.enteredTab(await stand.key('erp', 'producer', ['shop']));
    const rooms = await producer.page
      .getByRole('navigation', { name: 'Rooms' })
      .getByRole('link')
      .allInnerTexts();
    expect(rooms).toEqual(['Dead letters', 'Deliveries', 'Events', 'Live attempts']);
    await producer.page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await producer.page.getByRole('row').filter({ hasText: 'shop' }).first().click();
    await producer.page.getByRole('region', { name: 'Timeline' }).waitFor();
    expect(await producer.page.getByRole('button', { name: 'Redeliver now' }).count()).toBe(0);
    expect(await producer.page.getByRole('row').filter({ hasText: 'acme' }).count()).toBe(0);
    await producer.page.goto(`${stand.running.url}/console/redeliver?application=shop`);
    await producer.page.getByRole('heading', { name: 'Not here' }).waitFor();

    const operator = await stand.enteredTab(await stand.key('shop-desk', 'operator', ['shop']));
    await operator.page.getByRole('status', { name: 'Verdict' }).waitFor();
    expect(await operator.page.getByRole('link', { name: 'Keys' }).count()).toBe(0);
    for (const room of ['Dead letters', 'Deliveries', 'Endpoints', 'Applications', 'Replays', 'Audit']) {
      await operator.page.getByRole('link', { name: room, exact: true }).click();
      await operator.page.getByRole('heading', { name: room, exact: true }).waitFor();
      await operator.page.getByRole('grid', { name: room }).waitFor();
      expect(await operator.page.getByText('acme').count()).toBe(0);
    }
    expect([...producer.forbidden, ...operator.forbidden]).toEqual([]);
    expect([...producer.faults, ...operator.faults]).toEqual([]);
  }, 60_000);
});
