import { describe, expect, it } from '@jest/globals';
import { AddressGuard } from './address-guard.js';
import {
  ALLOWED_HOSTS,
  REFUSED_HOSTS,
  SPECIAL_PURPOSE_RANGES,
} from '../../../test/receivers/address-spellings.js';
import { targetOf } from './connection-pool.js';

const hostnameOf = (spelling: string) => targetOf(new URL(`http://${spelling}/hook`)).hostname;
const refused = Object.entries(REFUSED_HOSTS).flatMap(([addressClass, spellings]) =>
  spellings.map((spelling) => ({ spelling, addressClass })),
);

describe('the address guard (TF-03; lessons: three fixes to hand-made address lists)', () => {
  const guard = new AddressGuard([]);

  it.each(SPECIAL_PURPOSE_RANGES)('refuses %s from its first address to its last', (_range, first, last) => {
    expect(guard.refusalOf(hostnameOf(first))).not.toBeNull();
    expect(guard.refusalOf(hostnameOf(last))).not.toBeNull();
  });

  it.each(refused)('refuses $spelling as $addressClass', ({ spelling, addressClass }) => {
    const refusal = guard.refusalOf(hostnameOf(spelling));
    expect(refusal?.addressClass).toMatch(new RegExp(`(^|, )${addressClass}$`));
  });

  it.each(ALLOWED_HOSTS)('lets %s through', (spelling) => {
    expect(guard.refusalOf(hostnameOf(spelling))).toBeNull();
  });

  it.each(['localhost', '', '127.0.0.1:80', '[::1]', '0x7f000001'])(
    'refuses %j, which is no address',
    (text) => {
      expect(guard.refusalOf(text)).toEqual({ address: text, addressClass: 'not an IP address' });
    },
  );

  it('says which address a carrying form stands for', () => {
    expect(guard.refusalOf('64:ff9b::7f00:1')?.addressClass).toBe('NAT64 form of 127.0.0.1, loopback');
    expect(guard.refusalOf('::ffff:10.0.0.1')?.addressClass).toBe('IPv4-mapped form of 10.0.0.1, private');
  });
});

describe('ALLOW_PRIVATE_CIDRS', () => {
  const guard = new AddressGuard(['127.0.0.0/8', ' 10.1.2.3 ', 'fd00::/8', '64:ff9b:1::/96']);

  it.each(['127.0.0.1', '127.255.255.255', '10.1.2.3', 'fd00::1', '64:ff9b:1::a00:1'])(
    'lets %s through',
    (address) => {
      expect(guard.refusalOf(address)).toBeNull();
    },
  );

  it.each(['::ffff:127.0.0.1', '64:ff9b::127.0.0.1', '2002:7f00:1::'])(
    'judges %s by the address it carries',
    (address) => {
      expect(guard.refusalOf(address)).toBeNull();
    },
  );

  it.each(['10.1.2.4', '192.168.0.1', '::1', 'fc00::1', '169.254.169.254', '::ffff:10.0.0.1'])(
    'opens nothing else: %s',
    (address) => {
      expect(guard.refusalOf(address)).not.toBeNull();
    },
  );

  it.each([
    '10/8',
    '10.0.0.0/33',
    'fd00::/129',
    '10.0.0.0/',
    '10.0.0.0/8/8',
    'localhost',
    '',
    '10.0.0.0/-1',
    '0x7f.1/8',
  ])('refuses the entry %j by name', (entry) => {
    expect(() => new AddressGuard([entry])).toThrow(`ALLOW_PRIVATE_CIDRS holds "${entry}"`);
  });
});
