import { expect, it } from '@jest/globals';
import { assertAllAccepted, assertNothingLost, repeatedIn, RoundFailed } from './round-verdict.js';

function receipts(acknowledgements: number[], strangers = 0) {
  return {
    acknowledgedAtMs: new Float64Array(),
    refusals: new Uint16Array(),
    acknowledgements: Uint16Array.from(acknowledgements),
    strangers,
    connections: 0,
  };
}

it('a round that lost a delivery fails', () => {
  expect(() => assertNothingLost(receipts([1, 0, 1]), 3)).toThrow(RoundFailed);
  expect(() => assertNothingLost(receipts([1, 2, 1]), 3)).not.toThrow();
});

it('counts what came again, in its round or after it', () => {
  expect(repeatedIn(receipts([1, 1, 1]))).toBe(0);
  expect(repeatedIn(receipts([1, 3, 0], 4))).toBe(6);
});

it('a refused publish fails the round, with the first answer', () => {
  const times = new Float64Array();
  const published = { owedAtMs: times, sentAtMs: times, answeredAtMs: times };
  expect(() => assertAllAccepted({ ...published, refused: {}, firstRefusal: null })).not.toThrow();
  expect(() =>
    assertAllAccepted({ ...published, refused: { 503: 2 }, firstRefusal: '{"code":"UNAVAILABLE"}' }),
  ).toThrow('Events were refused (2 × 503), the first with {"code":"UNAVAILABLE"}');
});
