import { expect, it } from '@jest/globals';
import { Counter, Registry } from 'prom-client';
import { TypeCounters } from './type-counters.js';

it('a type that its contract does not have is counted as other, whatever it is called', async () => {
  const registers = [new Registry()];
  const counter = new Counter({
    name: 'events',
    help: 'events',
    labelNames: ['contract', 'type', 'via'],
    registers,
  });
  const contracts = [
    { name: 'a', eventTypes: [{ name: 'known' }] },
    { name: 'b', eventTypes: [{ name: 'of b' }] },
  ];
  const counters = new TypeCounters(counter, contracts, 'http');
  for (const type of ['known', 'of b', '__proto__', 'constructor', 'x"} 1\n', '']) counters.inc('a', type);
  const { values } = await counter.get();
  expect(values.map(({ labels, value }) => [labels.contract, labels.type, value])).toEqual([
    ['a', 'known', 1],
    ['a', 'other', 5],
    ['b', 'of b', 0],
    ['b', 'other', 0],
  ]);
});
