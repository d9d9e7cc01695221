import { expect, test } from 'vitest';
import { isoTime, millisecondsOf, newId } from './ids-and-times.ts';

test('a time is written as ISO 8601 with milliseconds', () => {
  expect(isoTime(0)).toBe('1970-01-01T00:00:00.000Z');
  expect(isoTime(1_700_000_000_123)).toBe('2023-11-14T22:13:20.123Z');
});

test('the same millisecond has the same text, a different one its own', () => {
  expect(isoTime(5)).toBe(isoTime(5));
  expect(isoTime(6)).toBe('1970-01-01T00:00:00.006Z');
  expect(isoTime(5)).toBe('1970-01-01T00:00:00.005Z');
});

test('is the current time by default', () => {
  const before = Date.now();
  const told = Date.parse(isoTime());
  expect(told).toBeGreaterThanOrEqual(before);
  expect(told).toBeLessThanOrEqual(Date.now());
});

test('a time is read back, the most recent one or any other', () => {
  const newest = isoTime(1_700_000_000_123);
  expect(millisecondsOf(newest)).toBe(1_700_000_000_123);
  expect(millisecondsOf('1970-01-01T00:00:00.007Z')).toBe(7);
  expect(millisecondsOf('2023-11-14T23:13:20.123+01:00')).toBe(1_700_000_000_123);
});

test('is a version 7 UUID', () => {
  for (let count = 0; count < 1_000; count += 1) {
    expect(newId()).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

test('never repeats an id within a millisecond', () => {
  const now = Date.now();
  expect(new Set(Array.from({ length: 10_000 }, () => newId(now))).size).toBe(10_000);
});

test('sorts by time', () => {
  const early = newId(1_000);
  const late = newId(1_700_000_000_000);
  expect(early < late).toBe(true);
  expect(Number.parseInt(late.replaceAll('-', '').slice(0, 12), 16)).toBe(1_700_000_000_000);
});
