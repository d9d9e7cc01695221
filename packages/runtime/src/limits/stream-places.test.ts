import { expect, test } from 'vitest';
import { StreamPlaces } from './stream-places.ts';

function refusal(limit: string): unknown {
  return expect.objectContaining({ code: 'RESOURCE_EXHAUSTED', metadata: { limit } });
}

test('refuses a caller one stream too many, until one has ended', () => {
  const places = new StreamPlaces({ total: 10, perCaller: 2 });
  const leave = places.take('me');
  places.take('me');
  expect(() => places.take('me')).toThrow(refusal('streamsPerCaller'));
  places.take('you');
  leave();
  places.take('me');
  expect(places.open).toBe(3);
});

test('refuses everybody when the server is full', () => {
  const places = new StreamPlaces({ total: 2, perCaller: 2 });
  const leave = places.take('me');
  places.take(undefined);
  expect(() => places.take('you')).toThrow(refusal('streams'));
  expect(() => places.take(undefined)).toThrow(refusal('streams'));
  leave();
  places.take('you');
});

test('a place is left once, however often it is said', () => {
  const places = new StreamPlaces({ total: 2, perCaller: 1 });
  const leave = places.take('me');
  leave();
  leave();
  expect(places.open).toBe(0);
  places.take('me');
  expect(() => places.take('me')).toThrow(refusal('streamsPerCaller'));
});

test('callers without a name share the total alone', () => {
  const places = new StreamPlaces({ total: 3, perCaller: 1 });
  places.take(undefined);
  places.take(undefined);
  expect(places.open).toBe(2);
});
