import { expect, test } from 'vitest';
import { StreamSlots } from './stream-slots.ts';

function refusal(limit: string): unknown {
  return expect.objectContaining({ code: 'RESOURCE_EXHAUSTED', metadata: { limit } });
}

test('rejects one stream too many of a caller, until one has ended', () => {
  const slots = new StreamSlots({ total: 10, perCaller: 2 });
  const release = slots.take('me');
  slots.take('me');
  expect(() => slots.take('me')).toThrow(refusal('streamsPerCaller'));
  slots.take('you');
  release();
  slots.take('me');
  expect(slots.open).toBe(3);
});

test('rejects every caller when the server is full', () => {
  const slots = new StreamSlots({ total: 2, perCaller: 2 });
  const release = slots.take('me');
  slots.take(undefined);
  expect(() => slots.take('you')).toThrow(refusal('streams'));
  expect(() => slots.take(undefined)).toThrow(refusal('streams'));
  release();
  slots.take('you');
});

test('a slot is released once, however often it is called', () => {
  const slots = new StreamSlots({ total: 2, perCaller: 1 });
  const release = slots.take('me');
  release();
  release();
  expect(slots.open).toBe(0);
  slots.take('me');
  expect(() => slots.take('me')).toThrow(refusal('streamsPerCaller'));
});

test('anonymous callers share only the total', () => {
  const slots = new StreamSlots({ total: 3, perCaller: 1 });
  slots.take(undefined);
  slots.take(undefined);
  expect(slots.open).toBe(2);
});
