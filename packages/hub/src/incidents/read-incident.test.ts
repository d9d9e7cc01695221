import { expect, test } from 'vitest';
import { INCIDENT_KINDS } from './incident-kinds.ts';
import { readIncident } from './read-incident.ts';

test.each([
  ['We are stuck in a retry storm (429). Need a calm next step.', 'rate_limit'],
  ['The API key has expired', 'auth'],
  ['ECONNREFUSED when calling billing', 'dependency_down'],
  ['ENOSPC: no space left on device', 'disk_full'],
  ['maximum context length reached', 'context_limit'],
  ['malformed JSON from the feed', 'bad_data'],
  ['requests time out', 'slow'],
  ['the backlog keeps growing', 'backlog'],
  ['I keep getting the same result', 'loop'],
  ['I feel overwhelmed', 'overload'],
  ['three tests fail', 'tests'],
  ['Something is broken', 'errors'],
  ['Hello, how are you?', 'none'],
])('%s', (text, kind) => {
  expect(readIncident(text, []).kind.name).toBe(kind);
});

test('a heartbeat symptom identifies an incident that the message does not describe', () => {
  const symptoms = [{ metric: 'queue', text: 'queue depth: 900' }] as const;
  expect(readIncident('Checking in.', symptoms)).toMatchObject({
    kind: { name: 'backlog' },
    symptoms: ['queue depth: 900'],
  });
  expect(readIncident('We get a 429.', symptoms)).toMatchObject({
    kind: { name: 'rate_limit' },
    symptoms: ['your message says "429"', 'queue depth: 900'],
  });
});

test('step ids are unique across all kinds', () => {
  const ids = INCIDENT_KINDS.flatMap(({ steps }) => steps.map(({ id }) => id));
  expect(new Set(ids).size).toBe(ids.length);
  expect(Math.min(...INCIDENT_KINDS.map(({ steps }) => steps.length))).toBeGreaterThan(1);
});
