import { describe, expect, it } from '@jest/globals';
import { idPosition, listQuery, pageOf } from './list-query.js';

const schema = listQuery('things', {}, idPosition);
const identity = (id: number) => id;

describe('a page', () => {
  it('ends where its rows do, with the cursor of its last item when there are more', () => {
    const query = schema.parse({ limit: '2' });
    expect(pageOf(query, [9, 8], identity, identity)).toEqual({ items: [9, 8], nextCursor: null });
    const page = pageOf(query, [9, 8, 7], identity, identity, 5);
    expect(page.items).toEqual([9, 8]);
    expect(schema.parse({ limit: '2', cursor: page.nextCursor })).toMatchObject({ after: 8 });
  });

  it('that was broken off goes on from there, even when it holds nothing', () => {
    const query = schema.parse({ limit: '2' });
    for (const rows of [[9], []]) {
      const { items, nextCursor } = pageOf(query, rows, identity, identity, 5);
      expect(items).toEqual(rows);
      expect(schema.parse({ cursor: nextCursor })).toMatchObject({ after: 5 });
    }
  });
});
