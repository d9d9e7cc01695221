import { expect, test } from 'vitest';
import { recommendCadence } from './cadence.ts';
import type { HeartbeatMetrics, Sample } from './heartbeat-series.ts';

const CALM: HeartbeatMetrics = { errors: 0, p95: 300, queue: 2 };

function samples(...metrics: Partial<HeartbeatMetrics>[]): Sample[] {
  return metrics.map((each, at) => ({ at, ...CALM, ...each }));
}

const PAST = [{}, {}, {}, {}, {}];

test.each([
  ['nothing is known', [], 'steady', 2_700],
  ['everything is normal', samples({}), 'steady', 2_700],
  ['a few errors', samples({ errors: 1 }), 'steady', 1_800],
  [
    'the example of three errors and a long p95',
    samples({ errors: 3, p95: 1_450, queue: 9 }),
    'steady',
    1_800,
  ],
  ['many errors', samples({ errors: 40 }), 'incident', 120],
  ['many errors and slow', samples({ errors: 40, p95: 12_000 }), 'incident', 60],
  ['everything at once', samples({ errors: 40, p95: 12_000, queue: 500 }), 'incident', 30],
  ['slower than usual', samples(...PAST, { p95: 1_200 }), 'incident', 120],
  ['a small value doubles', samples(...PAST, { p95: 700, queue: 8 }), 'steady', 2_700],
  ['usually high', samples(...PAST.map(() => ({ queue: 40 })), { queue: 60 }), 'steady', 2_700],
  ['metrics are missing', [{ at: 1, errors: null, p95: null, queue: null }], 'steady', 2_700],
] as const)('%s', (_, given, mode, seconds) => {
  const cadence = recommendCadence(given);
  expect(cadence).toMatchObject({ mode, seconds });
  expect(cadence.seconds).toBeGreaterThanOrEqual(cadence.min_seconds);
  expect(cadence.seconds).toBeLessThanOrEqual(cadence.max_seconds);
});

test('names the metric that is above its usual value', () => {
  expect(recommendCadence(samples(...PAST, { queue: 30 })).reasons).toEqual([
    'queue depth: 30, usually about 2',
  ]);
});
