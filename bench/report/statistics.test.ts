import { describe, expect, it } from 'vitest';
import { median, percentile, spread } from './statistics.ts';

describe('median', () => {
  it('is the middle value of an odd number of values, in any order', () => {
    expect(median([9, 1, 5])).toBe(5);
  });
  it('is the mean of the two middle values of an even number', () => {
    expect(median([4, 1, 3, 100])).toBe(3.5);
  });
  it('rejects an empty list', () => {
    expect(() => median([])).toThrow('at least one measured value');
  });
});

describe('percentile', () => {
  const hundred = Array.from({ length: 100 }, (_, index) => index + 1);
  it.each([
    [0, 1],
    [0.5, 50],
    [0.99, 99],
    [1, 100],
  ])('of %d over 1..100 is %d', (fraction, expected) => {
    expect(percentile(hundred, fraction)).toBe(expected);
  });
});

describe('spread', () => {
  it('is the range over the median', () => {
    expect(spread([90, 100, 120])).toBeCloseTo(0.3);
  });
});
