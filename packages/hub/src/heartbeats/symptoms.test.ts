import { expect, test } from 'vitest';
import type { HeartbeatSeries, Sample } from './heartbeat-series.ts';
import { freshSymptoms } from './symptoms.ts';

const NOW = Date.parse('2027-01-15T08:00:00Z');

function series(metrics: Partial<Sample>): HeartbeatSeries {
  const sample = { at: NOW - 60_000, errors: null, p95: null, queue: null, ...metrics };
  return { count: 1, samples: [sample], hours: [], cadenceSeconds: 60, dueAt: NOW };
}

test.each([
  [{ errors: 40 }, 'errors', 'errors in the last hour: 40, which is high'],
  [{ p95: 30_000 }, 'p95', 'latency (p95, ms): 30000, which is high'],
  [{ queue: 900 }, 'queue', 'queue depth: 900, which is high'],
])('metrics %j are a symptom', (metrics, metric, text) => {
  expect(freshSymptoms(series(metrics), NOW)).toEqual([
    { metric, text: `your heartbeat at 2027-01-15T07:59:00.000Z reported ${text}` },
  ]);
});

test('old metrics and normal metrics are not symptoms', () => {
  expect(freshSymptoms(series({ at: NOW - 3 * 3_600_000, errors: 40 }), NOW)).toEqual([]);
  expect(freshSymptoms(series({ errors: 0 }), NOW)).toEqual([]);
  expect(freshSymptoms(undefined, NOW)).toEqual([]);
});
