import { expect, test } from 'vitest';
import { addSample, decodeSeries, encodeSeries, type HeartbeatSeries } from './heartbeat-series.ts';

const MINUTE = 60_000;

function seriesOf(heartbeats: number): HeartbeatSeries {
  let grown: ReturnType<typeof addSample> | undefined;
  for (let index = 0; index < heartbeats; index += 1) {
    grown = addSample(grown, { at: index * MINUTE, errors: index % 7, p95: null, queue: index });
  }
  return { count: 0, samples: [], hours: [], ...grown, cadenceSeconds: 60, dueAt: 5, watchedAt: 7 };
}

test('keeps the newest heartbeats in full and older ones as hourly maxima', () => {
  const series = seriesOf(130);
  expect(series.count).toBe(130);
  expect(series.samples).toHaveLength(32);
  expect(series.samples.at(-1)).toEqual({ at: 129 * MINUTE, errors: 129 % 7, p95: null, queue: 129 });
  expect(series.hours).toEqual([
    { hour: 0, count: 60, errors: 6, p95: null, queue: 59 },
    { hour: 60 * MINUTE, count: 60, errors: 6, p95: null, queue: 119 },
    { hour: 120 * MINUTE, count: 10, errors: 6, p95: null, queue: 129 },
  ]);
});

test('the size of a series is bounded', () => {
  const [long, longer] = [seriesOf(60 * 24 * 4), seriesOf(60 * 24 * 8)].map(
    (each) => encodeSeries(each).length,
  );
  expect(longer).toBeLessThan((long ?? 0) * 1.1);
  expect(longer).toBeLessThan(4_000);
});

test('a series survives encoding and decoding', () => {
  const series = { ...seriesOf(40), missed: { lastSeenAt: 1, noticedAt: 2 } };
  expect(decodeSeries(encodeSeries(series))).toEqual(series);
});
