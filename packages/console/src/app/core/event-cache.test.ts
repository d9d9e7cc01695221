import { expect, test } from 'vitest';
import type { JournalEvent } from '../../api/task.ts';
import { EventCache } from './event-cache.ts';

function event(sequence: number): JournalEvent {
  const message = {
    messageId: `m${sequence}`,
    role: 'ROLE_AGENT' as const,
    parts: [{ text: String(sequence) }],
  };
  return { sequence, event: { message }, input: null, takeover: null };
}

test('reads what is looked at, once, and follows short pages', async () => {
  const reads: string[] = [];
  const complete = Promise.withResolvers<void>();
  const cache = new EventCache(
    async (after, limit) => {
      reads.push(`${after}+${limit}`);
      // The server cuts a page that is large.
      const length = Math.min(limit, 30);
      const events = Array.from({ length }, (_, index) => event(after + 1 + index));
      return { events, firstSequence: 1, lastSequence: 1000 };
    },
    () => {
      if (cache.get(250) !== undefined && cache.get(201) !== undefined) complete.resolve();
    },
  );
  cache.need(201, 250);
  cache.need(201, 250);
  await complete.promise;
  expect(reads).toEqual(['200+50', '230+20']);
  cache.need(201, 250);
  expect(reads).toHaveLength(2);
  expect(cache.get(200)).toBeUndefined();
});

test('events that arrive are not read again', () => {
  const reads: number[] = [];
  const cache = new EventCache(
    async (after) => {
      reads.push(after);
      return { events: [], firstSequence: 1, lastSequence: 3 };
    },
    () => undefined,
  );
  for (const sequence of [1, 2, 3]) cache.add(event(sequence));
  cache.need(1, 3);
  expect(reads).toEqual([]);
});
