import type { StreamResponse } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { EventLog } from './event-log.ts';

function update(text: string): StreamResponse {
  return {
    artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text }] } },
  };
}

test('returns the events in A2A 0.3 form', () => {
  const log = new EventLog({ keptCharacters: 10_000, allCharacters: 10_000 });
  expect(log.add(update('one'))).toBe(true);
  expect(log.events()).toEqual([
    {
      kind: 'artifact-update',
      taskId: 't',
      contextId: 'c',
      artifact: { artifactId: 'a', parts: [{ kind: 'text', text: 'one' }] },
    },
  ]);
  expect(log.latest).toEqual(log.events()[0]);
});

test('counts a repeated event once', () => {
  const log = new EventLog({ keptCharacters: 10_000, allCharacters: 10_000 });
  log.add(update('one'));
  expect(log.add(update('one'))).toBe(false);
  expect(log.count).toBe(1);
});

test('keeps the first and the last events', () => {
  const log = new EventLog({ keptCharacters: 1_000, allCharacters: 1_000_000 });
  for (let count = 0; count < 100; count += 1) log.add(update(String(count)));
  const events = JSON.stringify(log.events());
  expect(events.length).toBeLessThan(1_200);
  expect(events).toContain('"text":"0"');
  expect(events).toContain('"text":"99"');
  expect(log.events()).toContainEqual({ kind: 'omitted', count: 100 - log.events().length + 1 });
  expect(log.count).toBe(100);
});

test('throws if there are too many events', () => {
  const log = new EventLog({ keptCharacters: 100, allCharacters: 500 });
  expect(() => {
    for (let count = 0; count < 100; count += 1) log.add(update(String(count)));
  }).toThrow('more than 500 characters of events');
});
