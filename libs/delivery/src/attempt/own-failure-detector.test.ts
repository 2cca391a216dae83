import { describe, expect, it } from '@jest/globals';
import { OwnFailureDetector } from './own-failure-detector.js';

const SUCCESS = { success: true, answered: true };
const REFUSED = { success: false, answered: true };
const UNANSWERED = { success: false, answered: false };

function healthy(
  count: number,
  onChange: (suspected: boolean) => void = () => undefined,
): OwnFailureDetector {
  const detector = new OwnFailureDetector(onChange);
  for (let endpoint = 1; endpoint <= count; endpoint++) detector.counts(endpoint, SUCCESS, 0);
  return detector;
}

describe('OwnFailureDetector', () => {
  it('stops counting when most endpoints that were healthy fail at once without an answer', () => {
    const detector = healthy(20);
    const counted = Array.from({ length: 20 }, (_, index) => detector.counts(index + 1, UNANSWERED, 100));
    expect(counted.slice(0, 10)).toEqual(Array(10).fill(true));
    expect(counted.slice(11)).toEqual(Array(9).fill(false));
  });

  it('counts the failures of a few endpoints among many', () => {
    const detector = healthy(100);
    const counted = Array.from({ length: 20 }, (_, index) => detector.counts(index + 1, UNANSWERED, 100));
    expect(counted).toEqual(Array(20).fill(true));
  });

  it('counts answers that refuse, however many: they come from the receivers', () => {
    const detector = healthy(20);
    const counted = Array.from({ length: 20 }, (_, index) => detector.counts(index + 1, REFUSED, 100));
    expect(counted).toEqual(Array(20).fill(true));
  });

  it('goes on not counting for as long as the trouble lasts, and says when it begins and ends', () => {
    const changes: boolean[] = [];
    const detector = healthy(20, (suspected) => changes.push(suspected));
    for (let second = 1; second <= 60; second++) {
      for (let endpoint = 1; endpoint <= 20; endpoint++) {
        const counted = detector.counts(endpoint, UNANSWERED, second * 1_000);
        if (second > 1) expect(counted).toBe(false);
      }
    }
    expect(changes).toEqual([true]);
    for (let endpoint = 1; endpoint <= 15; endpoint++) detector.counts(endpoint, SUCCESS, 61_000);
    expect(changes).toEqual([true, false]);
    expect(detector.counts(16, UNANSWERED, 61_000)).toBe(true);
  });

  it('says nothing of endpoints that were failing already', () => {
    const detector = new OwnFailureDetector(() => undefined);
    const counted = Array.from({ length: 50 }, (_, index) => detector.counts(index + 1, UNANSWERED, 100));
    expect(counted).toEqual(Array(50).fill(true));
  });
});
