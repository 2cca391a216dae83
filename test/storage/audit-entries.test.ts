import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { requestErasure } from '#storage/sql/erasures.js';
import { recordAudit } from '#storage/sql/audit-entries.js';
import { ADMIN, Platform } from '../support/platform.js';

let platform: Platform;

beforeAll(async () => {
  platform = await Platform.create();
  await platform.addApplication('acme');
  await recordAudit(platform.database, {
    by: ADMIN,
    action: 'event.body_erased',
    resourceId: 'event',
    applicationId: 'acme',
    changes: { name: { from: 'a', to: 'b' } },
  });
});
afterAll(() => platform.destroy());

const entries = () => platform.sql('SELECT * FROM audit_entries');

const VALUES_GONE = `changes = '{"name": {}}', resource_id = NULL`;

describe('entries of the audit', () => {
  const tampering = [
    `UPDATE audit_entries SET actor_name = 'nobody'`,
    `UPDATE audit_entries SET ${VALUES_GONE}`,
    'DELETE FROM audit_entries',
    'TRUNCATE audit_entries',
    `SET session_replication_role = replica; DELETE FROM audit_entries`,
  ];

  it.each(tampering)('are kept by the database itself: %s', async (statement) => {
    const kept = await entries();
    const client = await platform.database.pool.connect();
    try {
      await expect(client.query(statement)).rejects.toMatchObject({ code: '42501' });
    } finally {
      // With what it set.
      client.release(true);
    }
    expect(await entries()).toEqual(kept);
  });

  it('lose what fields held where their application is erased, and nothing else', async () => {
    const [kept] = await entries();
    await requestErasure(platform.database, 'acme');
    for (const set of [
      `actor_name = 'nobody', ${VALUES_GONE}`,
      `id = id + 1, ${VALUES_GONE}`,
      `changes = '{}', resource_id = NULL`,
      `changes = '{"name": {"to": "c"}}', resource_id = NULL`,
      `changes = '{"name": {}}', resource_id = 'other'`,
    ]) {
      await expect(platform.sql(`UPDATE audit_entries SET ${set}`)).rejects.toMatchObject({ code: '42501' });
    }
    await platform.sql(`UPDATE audit_entries SET ${VALUES_GONE}`);
    expect(await entries()).toEqual([{ ...kept, changes: { name: {} }, resource_id: null }]);
    await expect(platform.sql('DELETE FROM audit_entries')).rejects.toMatchObject({ code: '42501' });
  });
});
