import { describe, expect, it } from '@jest/globals';
import { AddressGuard } from './address-guard.js';
import { targetOf } from './connection-pool.js';

/** Hosts as people and attackers write them in a URL, by the class they belong to. */
const REFUSED: Readonly<Record<string, readonly string[]>> = {
  loopback: [
    '127.0.0.1',
    '127.1',
    '127.0.1',
    '127.0.0.1.',
    '127.1.',
    '127.255.255.254',
    '127.0.0.01',
    '127.000.000.001',
    '127.0.0.0x1',
    '2130706433',
    '017700000001',
    '0x7f000001',
    '0x7F000001',
    '0x7f.0.0.1',
    '0x7f.1',
    '0x7f.0x0.0x0.0x1',
    '0177.0.0.1',
    '0177.1',
    '0177.0.0.0x1',
    '００００１７７.0.0.1',
    '１２７.０.０.１',
    '127。0。0。1',
    '127．0．0．1',
    '127｡0｡0｡1',
    '①②⑦.0.0.1',
    '²130706433',
    '%31%32%37.0.0.1',
    '127%2e0%2e0%2e1',
    '0x7f%2e1',
    '127\u00ad.0.0.1',
    '[::1]',
    '[0:0:0:0:0:0:0:1]',
    '[0000:0000:0000:0000:0000:0000:0000:0001]',
    '[::0.0.0.1]',
    '[::ffff:127.0.0.1]',
    '[::FFFF:127.0.0.1]',
    '[::ffff:7f00:1]',
    '[::ffff:7f00:0001]',
    '[0:0:0:0:0:ffff:127.0.0.1]',
    '[0:0:0:0:0:ffff:7f00:1]',
    '[0000:0000:0000:0000:0000:ffff:7fff:fffe]',
    '[::127.0.0.1]',
    '[::7f00:1]',
    '[::ffff:0:127.0.0.1]',
    '[::ffff:0:7f00:1]',
    '[64:ff9b::127.0.0.1]',
    '[64:ff9b::7f00:1]',
    '[0064:FF9B::7F00:0001]',
    '[64:ff9b:0:0:0:0:7f00:1]',
    '[2002:7f00:1::]',
    '[2002:7f00:0001::1]',
    '[2002:7F00:1:dead:beef::1]',
    '[2001:0:808:808:0:0:80ff:fffe]',
    '[2001:0000:7f00:1::f7f7:f7f7]',
    '[2600:1f18::5efe:7f00:1]',
    '[2600:1f18::200:5efe:127.0.0.1]',
  ],
  private: [
    '10.0.0.1',
    '10.1',
    '10.255.255.255',
    '167772161',
    '0xa000001',
    '0xa.1',
    '012.0.0.1',
    '10。0。0。1',
    '１０.0.0.1',
    '172.16.0.1',
    '172.31.255.255',
    '0xac.0x10.0.1',
    '0254.020.0.1',
    '2886729729',
    '192.168.0.1',
    '192.168.1',
    '192.168.255.255',
    '3232235521',
    '0xc0a80001',
    '0300.0250.0.1',
    '030052000001',
    '[::ffff:10.0.0.1]',
    '[::ffff:a00:1]',
    '[::ffff:172.16.0.1]',
    '[::ffff:192.168.0.1]',
    '[::ffff:c0a8:1]',
    '[::10.0.0.1]',
    '[::ffff:0:192.168.0.1]',
    '[64:ff9b::10.0.0.1]',
    '[64:ff9b::c0a8:1]',
    '[2002:a00:1::]',
    '[2002:ac10:1::1]',
    '[2002:c0a8:101::1]',
    '[2001:0:808:808::f5ff:fffe]',
    '[2001:0:c0a8:1::f7f7:f7f7]',
    '[2600:1f18::5efe:10.0.0.1]',
  ],
  'link-local': [
    '169.254.0.1',
    '169.254.169.254',
    '169.254.43518',
    '169.16689662',
    '2852039166',
    '0xa9fea9fe',
    '0251.0376.0251.0376',
    '0xa9.254.0251.254',
    '169。254。169。254',
    '１６９.254.169.254',
    '[::ffff:169.254.169.254]',
    '[::ffff:a9fe:a9fe]',
    '[::169.254.169.254]',
    '[::ffff:0:169.254.169.254]',
    '[64:ff9b::169.254.169.254]',
    '[64:ff9b::a9fe:a9fe]',
    '[2002:a9fe:a9fe::]',
    '[2001:0:808:808::5601:5601]',
    '[fe80::1]',
    '[FE80::ABCD]',
    '[febf:ffff::1]',
    '[fe80::5efe:8.8.8.8]',
  ],
  'this network': [
    '0',
    '0.0.0.0',
    '0x0',
    '00',
    '0.1',
    '0.255.255.255',
    '000.000.000.000',
    '０.0.0.0',
    '[::]',
    '[0::0]',
    '[::0.0.0.0]',
    '[::ffff:0.0.0.0]',
    '[64:ff9b::]',
    '[2002::]',
  ],
  'carrier-grade NAT': [
    '100.64.0.1',
    '100.127.255.255',
    '100.100.100.200',
    '1681915905',
    '0x64400001',
    '[::ffff:100.64.0.1]',
    '[64:ff9b::6440:1]',
    '[2002:6440:1::1]',
  ],
  multicast: ['224.0.0.1', '239.255.255.255', '3758096385', '[::ffff:224.0.0.1]', '[ff02::1]', '[ff0e::1:2]'],
  broadcast: ['255.255.255.255', '4294967295', '0xffffffff', '037777777777', '[::ffff:255.255.255.255]'],
  'unique local': ['[fc00::1]', '[fd00::1]', '[FD00:EC2::254]', '[fdff:ffff:ffff::1]'],
  'site-local': ['[fec0::1]', '[feff::1]'],
  'discard-only': ['[100::1]'],
  benchmarking: ['[2001:2::1]'],
  reserved: [
    '192.0.0.1',
    '192.0.0.192',
    '192.0.2.1',
    '192.88.99.1',
    '192.31.196.1',
    '192.52.193.1',
    '192.175.48.1',
    '198.18.0.1',
    '198.19.255.255',
    '198.51.100.7',
    '203.0.113.9',
    '240.0.0.1',
    '250.1.2.3',
    '[::ffff:192.0.2.1]',
    '[64:ff9b::203.0.113.9]',
    '[2001:db8::1]',
    '[2001:1::1]',
    '[2001:3::1]',
    '[2001:4:112::1]',
    '[2001:10::1]',
    '[2001:20::1]',
    '[2001:30::1]',
    '[2620:4f:8000::1]',
    '[3fff::1]',
    '[5f00::1]',
  ],
  'local-use NAT64': ['[64:ff9b:1::7f00:1]', '[64:ff9b:1::8.8.8.8]', '[64:ff9b:1:7f00:0:100::]'],
  unallocated: [
    '[1::1]',
    '[200::1]',
    '[100:0:0:1::1]',
    '[4000::1]',
    '[8000::1]',
    '[e000::1]',
    '[64:ff9b:2::1]',
  ],
  'cloud host agent': ['168.63.129.16', '2822734096', '[::ffff:168.63.129.16]'],
};

const ALLOWED = [
  '8.8.8.8',
  '1.1.1.1',
  '134744072',
  '0x08080808',
  '010.010.010.010',
  '9.255.255.255',
  '11.0.0.0',
  '100.63.255.255',
  '100.128.0.0',
  '126.255.255.255',
  '128.0.0.1',
  '169.253.255.255',
  '169.255.0.0',
  '172.15.255.255',
  '172.32.0.0',
  '192.167.255.255',
  '192.169.0.0',
  '198.17.255.255',
  '198.20.0.0',
  '223.255.255.255',
  '[2606:4700:4700::1111]',
  '[2a00:1450:4001::200e]',
  '[2001:4860:4860::8888]',
  '[::ffff:8.8.8.8]',
  '[::ffff:0:8.8.8.8]',
  '[64:ff9b::8.8.8.8]',
  '[2002:808:808::1]',
  '[2001:0:808:808::f7f7:f7f7]',
];

const hostnameOf = (spelling: string) => targetOf(new URL(`http://${spelling}/hook`)).hostname;
const refused = Object.entries(REFUSED).flatMap(([addressClass, spellings]) =>
  spellings.map((spelling) => ({ spelling, addressClass })),
);

describe('the address guard (TF-03; lessons: three fixes to hand-made address lists)', () => {
  const guard = new AddressGuard([]);

  it('has a table of at least 200 spellings', () => {
    expect(refused.length + ALLOWED.length).toBeGreaterThanOrEqual(200);
  });

  it.each(refused)('refuses $spelling as $addressClass', ({ spelling, addressClass }) => {
    const refusal = guard.refusalOf(hostnameOf(spelling));
    expect(refusal?.addressClass).toMatch(new RegExp(`(^|, )${addressClass}$`));
  });

  it.each(ALLOWED)('lets %s through', (spelling) => {
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
