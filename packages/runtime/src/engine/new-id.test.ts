import { expect, test } from 'vitest';
import { newId } from './new-id.ts';

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
