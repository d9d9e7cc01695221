import { describe, expect, it } from 'vitest';
import { rateOf, ratiosOver } from './rate.ts';

const rate = (perSecond: number) => ({ perSecond, spread: 0, p50Milliseconds: 1, p99Milliseconds: 1 });

describe('rateOf', () => {
  it('takes the median of the rounds for every figure', () => {
    const rounds = [
      { perSecond: 100, latencies: [1, 2, 30] },
      { perSecond: 300, latencies: [1, 4, 10] },
      { perSecond: 200, latencies: [1, 3, 20] },
    ];
    expect(rateOf(rounds)).toEqual({ perSecond: 200, spread: 1, p50Milliseconds: 3, p99Milliseconds: 20 });
  });
});

describe('ratiosOver', () => {
  it('compares ours with every other peer', () => {
    expect(ratiosOver({ ours: rate(300), slow: rate(100), fast: rate(600) }, 'ours')).toEqual({
      slow: 3,
      fast: 0.5,
    });
  });
});
