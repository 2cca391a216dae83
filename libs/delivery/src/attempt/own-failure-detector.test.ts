import { describe, expect, it } from '@jest/globals';
import { OwnFailureDetector } from './own-failure-detector.js';

const SUCCESS = { success: true, answered: true };
const REFUSED = { success: false, answered: true };
const UNANSWERED = { success: false, answered: false };

function healthy(count: number): OwnFailureDetector {
  const detector = new OwnFailureDetector();
  for (let endpoint = 1; endpoint <= count; endpoint++) detector.counts(endpoint, SUCCESS, 0);
  return detector;
}

describe('OwnFailureDetector', () => {
  it('stops counting when most endpoints that were healthy fail at once without an answer', () => {
    const detector = healthy(20);
    const counted = Array.from({ length: 20 }, (_, index) => detector.counts(index + 1, UNANSWERED, 100));
    expect(counted.slice(0, 10)).toEqual(Array(10).fill(true));
    expect(counted.slice(10)).toEqual(Array(10).fill(false));
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

  it('counts again once successes are back, or the window has passed', () => {
    const detector = healthy(20);
    for (let endpoint = 1; endpoint <= 20; endpoint++) detector.counts(endpoint, UNANSWERED, 100);
    expect(detector.suspected(200)).toBe(true);
    for (let endpoint = 1; endpoint <= 15; endpoint++) detector.counts(endpoint, SUCCESS, 300);
    expect(detector.suspected(400)).toBe(false);
    const failing = healthy(20);
    for (let endpoint = 1; endpoint <= 20; endpoint++) failing.counts(endpoint, UNANSWERED, 100);
    expect(failing.suspected(20_000)).toBe(false);
  });

  it('says nothing of endpoints that were failing already', () => {
    const detector = new OwnFailureDetector();
    const counted = Array.from({ length: 50 }, (_, index) => detector.counts(index + 1, UNANSWERED, 100));
    expect(counted).toEqual(Array(50).fill(true));
  });
});
