import { expect, test } from 'vitest';
import type { HeartbeatSeries, Sample } from '../../heartbeats/heartbeat-series.ts';
import { INCIDENT_KINDS, NO_INCIDENT } from './incident-kinds.ts';
import { readIncident } from './read-incident.ts';

const NOW = Date.parse('2027-01-15T08:00:00Z');

function series(figures: Partial<Sample>): HeartbeatSeries {
  const sample = { at: NOW - 60_000, errors: null, p95: null, queue: null, ...figures };
  return { count: 1, samples: [sample], hours: [], cadenceSeconds: 60, dueAt: NOW };
}

test.each([
  ['We are stuck in a retry storm (429). Need a calm next step.', 'rate_limit'],
  ['The API key has expired', 'auth'],
  ['ECONNREFUSED when calling billing', 'dependency_down'],
  ['ENOSPC: no space left on device', 'resources'],
  ['maximum context length reached', 'context_limit'],
  ['malformed JSON from the feed', 'bad_data'],
  ['requests time out', 'slow'],
  ['the backlog keeps growing', 'backlog'],
  ['I keep getting the same result', 'loop'],
  ['I feel overwhelmed', 'overload'],
  ['three tests fail', 'errors'],
  ['Hello, how are you?', 'none'],
])('%s', (text, kind) => {
  expect(readIncident(text, undefined, NOW).kind.name).toBe(kind);
});

test.each([
  [{ errors: 40 }, 'errors', 'has errors in the last hour: 40, which is high'],
  [{ p95: 30_000 }, 'slow', 'has latency (p95, ms): 30000, which is high'],
  [{ queue: 900 }, 'backlog', 'has queue depth: 900, which is high'],
])('figures %j show trouble that the message does not name', (figures, kind, sign) => {
  const incident = readIncident('Checking in.', series(figures), NOW);
  expect(incident.kind.name).toBe(kind);
  expect(incident.signs).toEqual([expect.stringContaining(sign)]);
});

test('old figures and calm ones are no sign', () => {
  expect(readIncident('Hi', series({ at: NOW - 3 * 3_600_000, errors: 40 }), NOW).signs).toEqual([]);
  expect(readIncident('Hi', series({ errors: 0 }), NOW)).toEqual({ kind: NO_INCIDENT, signs: [] });
});

test('every kind has steps with ids of their own', () => {
  const ids = [...INCIDENT_KINDS, NO_INCIDENT].flatMap(({ steps }) => steps.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(Math.min(...INCIDENT_KINDS.map(({ steps }) => steps.length))).toBeGreaterThan(1);
});
