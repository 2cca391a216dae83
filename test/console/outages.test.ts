import { afterAll, beforeAll, expect, it } from '@jest/globals';
import type { Page } from 'playwright-core';
import { freePort } from '../support/free-port.js';
import { until } from '../support/until.js';
import { whereInstalled } from '../support/where-installed.js';
import { CHROMIUM, ConsoleStand, type Tab } from './console-stand.js';

/*
 * What the console says while something does not answer: Kafka, which is never there; the database, which is cut; and the
 * process itself. What nobody can vouch for is not green.
 */

let stand: ConsoleStand;
let tab: Tab;

const { describe } = whereInstalled(CHROMIUM, 'chromium');
const patience = { timeoutMs: 20_000, intervalMs: 100 };

/** Elements that are painted in any green. */
const GREEN = `[...document.querySelectorAll('body *')].filter((element) => {
  const { color, backgroundColor, stroke, fill } = getComputedStyle(element);
  return [color, backgroundColor, stroke, fill].some((colour) => {
    const [, red, green, blue, alpha] = /^rgba?\\((\\d+), (\\d+), (\\d+)(?:, ([\\d.]+))?/.exec(colour)?.map(Number) ?? [];
    return alpha !== 0 && green > red + 8 && green > blue + 8;
  });
}).length`;
const greenIn = (page: Page) => page.evaluate<number>(GREEN);

describe('the console, while something does not answer', () => {
  beforeAll(async () => {
    const [nowhere, port] = [await freePort(), await freePort()];
    stand = await ConsoleStand.start({ KAFKA_BROKERS: `127.0.0.1:${nowhere}`, PORT: String(port) });
    await stand.register('acme');
    await stand.publish('acme', ['one']);
    tab = await stand.enteredTab(await stand.key('maria', 'operator'));
  }, 60_000);
  afterAll(() => stand.remove(), 30_000);

  it('says that Kafka is away, and that events are delivered all the same', async () => {
    const verdict = tab.page.getByRole('status', { name: 'Verdict' });
    await verdict.and(tab.page.locator('[data-tone=warn]')).waitFor();
    expect(await verdict.innerText()).toContain('Kafka is away.');
  });

  it('says that the database does not answer while it does not, on every screen, and nothing is green', async () => {
    const { page } = tab;
    await page.getByRole('link', { name: 'Deliveries', exact: true }).click();
    await page.getByText('delivered', { exact: true }).last().waitFor();
    await until(async () => (await greenIn(page)) > 0, patience);
    const banner = page.getByRole('alert').filter({ hasText: 'The database does not answer' });
    await stand.database.cut();
    try {
      await banner.waitFor({ timeout: 20_000 });
      expect(await greenIn(page)).toBe(0);
    } finally {
      await stand.database.mend();
    }
    await banner.waitFor({ state: 'detached', timeout: 20_000 });
    await until(async () => (await greenIn(page)) > 0, patience);
  }, 60_000);

  it('says that nothing answers and how old the figures are, and is well again by itself', async () => {
    const { page } = tab;
    await stand.running.end('SIGKILL');
    const banner = page.getByRole('alert').filter({ hasText: /What is on the screen is at least \d+ s old/ });
    await banner.waitFor({ timeout: 20_000 });
    expect(await page.getByRole('row').filter({ hasText: 'acme' }).count()).toBe(1);
    expect(await greenIn(page)).toBe(0);
    await page.getByRole('link', { name: 'Overview' }).click();
    await page.getByRole('status', { name: 'Verdict' }).and(page.locator('[data-tone=stale]')).waitFor();

    await stand.restart();
    await banner.waitFor({ state: 'detached', timeout: 20_000 });
    await page.getByRole('status', { name: 'Verdict' }).getByText('Kafka is away.').waitFor();
    expect(tab.faults).toEqual([]);
  }, 60_000);
});
