import type { ApiKey } from '#storage/api-key.repository.js';
import { describe, expect, it } from '@jest/globals';
import { ApiKeyAuthenticator, digestOf, type KnownKey } from './api-key-authenticator.js';

const BOOTSTRAP = 'bootstrap-key-0123456789';
const T0 = Date.UTC(2025, 5, 1);

/** An authenticator over keys in memory, with a clock that the test turns. */
function setUp(
  bootstrapKey: string | null = BOOTSTRAP,
  rateLimits: { default: number | null; own: number | null } = { default: null, own: null },
) {
  const stored = new Map<string, ApiKey>();
  const lookups: string[] = [];
  let nowMs = T0;
  const findByDigest = async (digest: Buffer) => {
    const name = digest.toString('hex');
    lookups.push(name);
    return stored.get(name) ?? null;
  };
  return {
    authenticator: new ApiKeyAuthenticator({ findByDigest }, bootstrapKey, rateLimits.default, () => nowMs),
    lookups,
    store: (key: string, expiresAt: Date | null = null) =>
      stored.set(digestOf(key).toString('hex'), {
        id: 4096,
        name: 'shop',
        role: 'producer',
        applications: ['a'],
        rateLimitPerSecond: rateLimits.own,
        createdAt: new Date(T0),
        expiresAt,
      }),
    remove: (key: string) => stored.delete(digestOf(key).toString('hex')),
    pass: (ms: number) => (nowMs += ms),
  };
}

const refused = expect.objectContaining({ code: 'UNAUTHENTICATED' });

async function failure(attempt: () => KnownKey | Promise<KnownKey>): Promise<unknown> {
  try {
    return await attempt();
  } catch (error) {
    return error;
  }
}

describe('ApiKeyAuthenticator', () => {
  it('knows the bootstrap key without asking the database', async () => {
    const { authenticator, lookups } = setUp();
    expect(authenticator.authenticate(`Bearer ${BOOTSTRAP}`)).toEqual({
      principal: { id: 'bootstrap', name: 'ADMIN_KEY', role: 'admin', applications: null },
      rateLimitPerSecond: null,
    });
    expect(lookups).toEqual([]);
    const without = setUp(null);
    expect(await failure(() => without.authenticator.authenticate(`Bearer ${BOOTSTRAP}`))).toEqual(refused);
  });

  it('asks the database once in 5 s for a key, and once for callers that come together', async () => {
    const { authenticator, lookups, store, pass } = setUp();
    store('k');
    const call = () => authenticator.authenticate('Bearer k');
    const [first, second] = await Promise.all([call(), call()]);
    expect(first).toMatchObject({
      principal: { id: '4096', name: 'shop', role: 'producer', applications: ['a'] },
    });
    expect(second).toEqual(first);
    pass(4_999);
    expect(call()).toEqual(first);
    expect(lookups).toHaveLength(1);
    pass(1);
    await call();
    expect(lookups).toHaveLength(2);
  });

  it('stops taking a key that was deleted elsewhere within 5 s, and one deleted here at once', async () => {
    const { authenticator, store, remove, pass } = setUp();
    const call = () => failure(() => authenticator.authenticate('Bearer k'));
    store('k');
    await call();
    remove('k');
    expect(await call()).toMatchObject({ principal: { name: 'shop' } });
    pass(5_000);
    expect(await call()).toEqual(refused);
    store('k');
    pass(1_000);
    expect(await call()).toMatchObject({ principal: { name: 'shop' } });
    remove('k');
    authenticator.forget(digestOf('k'));
    expect(await call()).toEqual(refused);
  });

  it('does not remember a look-up that was under way when the key was deleted', async () => {
    const { authenticator, store, remove } = setUp();
    store('k');
    const underWay = authenticator.authenticate('Bearer k');
    remove('k');
    authenticator.forget(digestOf('k'));
    await underWay;
    expect(await failure(() => authenticator.authenticate('Bearer k'))).toEqual(refused);
  });

  it('takes a key made elsewhere within 1 s after it was tried in vain', async () => {
    const { authenticator, lookups, store, pass } = setUp();
    const call = () => failure(() => authenticator.authenticate('Bearer k'));
    expect(await call()).toEqual(refused);
    store('k');
    pass(999);
    expect(await call()).toEqual(refused);
    expect(lookups).toHaveLength(1);
    pass(1);
    expect(await call()).toMatchObject({ principal: { name: 'shop' } });
  });

  it('refuses a key from the millisecond it expires, remembered or not', async () => {
    const { authenticator, store, pass } = setUp();
    store('k', new Date(T0 + 2_000));
    const call = () => failure(() => authenticator.authenticate('Bearer k'));
    pass(1_999);
    expect(await call()).toMatchObject({ principal: { name: 'shop' } });
    pass(1);
    expect(await call()).toEqual(refused);
  });

  it('remembers no more than 10,000 keys, however many are invented', async () => {
    const { authenticator, lookups } = setUp();
    const call = (index: number) => failure(() => authenticator.authenticate(`Bearer invented-${index}`));
    for (let index = 0; index <= 10_000; index++) await call(index);
    await call(10_000);
    expect(lookups).toHaveLength(10_001);
    await call(0);
    expect(lookups).toHaveLength(10_002);
  });

  it('passes on what the database threw, and asks again next time', async () => {
    const outage = new Error('away');
    let away = true;
    const findByDigest = () => (away ? Promise.reject(outage) : Promise.resolve(null));
    const authenticator = new ApiKeyAuthenticator({ findByDigest }, null, null);
    expect(await failure(() => authenticator.authenticate('Bearer k'))).toBe(outage);
    away = false;
    expect(await failure(() => authenticator.authenticate('Bearer k'))).toEqual(refused);
  });

  it.each([
    undefined,
    '',
    'Basic abc',
    'Bearer',
    'Bearer ',
    'Bearer a b',
    'Bearer ä',
    'bootstrap-key-0123456789',
  ])('refuses the header %p without asking the database', async (header) => {
    const { authenticator, lookups } = setUp();
    expect(await failure(() => authenticator.authenticate(header))).toEqual(refused);
    expect(lookups).toEqual([]);
  });

  it('says how often a key may call: its own limit, else that of the process, and ADMIN_KEY as it likes', async () => {
    const limitOf = async (rateLimits: { default: number | null; own: number | null }) => {
      const { authenticator, store } = setUp(BOOTSTRAP, rateLimits);
      store('k');
      const bootstrap = await authenticator.authenticate(`Bearer ${BOOTSTRAP}`);
      expect(bootstrap.rateLimitPerSecond).toBeNull();
      return (await authenticator.authenticate('Bearer k')).rateLimitPerSecond;
    };
    expect(await limitOf({ default: null, own: null })).toBeNull();
    expect(await limitOf({ default: 10, own: null })).toBe(10);
    expect(await limitOf({ default: 10, own: 500 })).toBe(500);
    expect(await limitOf({ default: null, own: 5 })).toBe(5);
  });

  it('takes the scheme in any case, as RFC 9110 has it', () => {
    expect(setUp().authenticator.authenticate(`bearer ${BOOTSTRAP}`)).toMatchObject({
      principal: { role: 'admin' },
    });
  });
});
