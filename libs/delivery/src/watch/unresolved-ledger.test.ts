import { expect, it } from '@jest/globals';
import type { Queryable } from '#storage/database.js';
import { UnresolvedLedger } from './unresolved-ledger.js';

const DAYS = ['d6', 'd5', 'd4', 'd3', 'd2', 'd1'].map((day) => `deliveries_${day}`);

/** A database in which each day has as many endpoints as one reading goes through, and one dead delivery for each look. */
function database() {
  const looks: string[] = [];
  const queryable: Queryable = {
    query: <Row>({ text }: { text: string }) => {
      const partition = /deliveries_d\d/.exec(text)![0];
      looks.push(partition);
      const dead = looks.filter((look) => look === partition).length;
      return Promise.resolve([{ contract: 'a', endpoints: 2_000, dead, closed: 0, suppressed: 1 }] as Row[]);
    },
  };
  return { queryable, looks };
}

it('counts all days at first, then the newest two and one by turns, and takes the last count of the others', async () => {
  const { queryable, looks } = database();
  const ledger = new UnresolvedLedger();
  expect((await ledger.read(queryable, DAYS)).get('a')).toEqual({ dead: 6, closed: 0, suppressed: 6 });
  expect(looks.splice(0)).toEqual(DAYS);
  for (let reading = 0; reading < 4; reading++) await ledger.read(queryable, DAYS);
  expect(looks).toEqual(DAYS.slice(2).flatMap((older) => [...DAYS.slice(0, 2), older]));
});

it('goes round through the older days as far as its budget reaches, and forgets those that are dropped', async () => {
  const { queryable, looks } = database();
  const cheap: Queryable = {
    query: async <Row>(statement: { name: string; text: string }, values: readonly unknown[]) =>
      (await queryable.query<{ endpoints: number }>(statement, values)).map((row) => ({
        ...row,
        endpoints: 700,
      })) as Row[],
  };
  const ledger = new UnresolvedLedger();
  await ledger.read(cheap, DAYS);
  looks.splice(0);
  await ledger.read(cheap, DAYS);
  await ledger.read(cheap, DAYS);
  expect(looks).toEqual([...DAYS.slice(0, 5), ...DAYS.slice(0, 2), DAYS[5], DAYS[2], DAYS[3]]);
  expect((await ledger.read(cheap, DAYS.slice(0, 2))).get('a')!.suppressed).toBe(2);
});
