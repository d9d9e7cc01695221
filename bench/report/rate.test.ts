import { describe, expect, it } from 'vitest';
import { cpuRatios, rateOf, ratiosOver } from './rate.ts';

const rates = (...perRound: number[]) =>
  rateOf(perRound.map((perSecond) => ({ perSecond, latencies: [1], cpuMicroseconds: 90_000 / perSecond })));

describe('rateOf', () => {
  it('takes the median of the rounds for every figure', () => {
    const rounds = [
      { perSecond: 100, latencies: [1, 2, 30], cpuMicroseconds: 900 },
      { perSecond: 300, latencies: [1, 4, 10], cpuMicroseconds: 300 },
      { perSecond: 200, latencies: [1, 3, 20], cpuMicroseconds: 450 },
    ];
    expect(rateOf(rounds)).toEqual({
      perSecond: 200,
      perRound: [100, 300, 200],
      spread: 1,
      p50Milliseconds: 3,
      p99Milliseconds: 20,
      cpuMicroseconds: 450,
      cpuPerRound: [900, 300, 450],
    });
  });
});

describe('ratiosOver', () => {
  it('compares ours with every other peer', () => {
    expect(ratiosOver({ ours: rates(300), slow: rates(100), fast: rates(600) }, 'ours')).toEqual({
      slow: 3,
      fast: 0.5,
    });
  });

  it('takes the median of the ratios of the rounds', () => {
    const ours = rates(300, 30, 600);
    const other = rates(100, 10, 400);
    expect(ratiosOver({ ours, other }, 'ours')).toEqual({ other: 3 });
    expect(cpuRatios({ ours, other }, 'ours')).toEqual({ other: expect.closeTo(1 / 3) });
  });
});
