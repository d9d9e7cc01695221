import { expect, test } from 'vitest';
import { bytes, counted, duration, fullTime, relativeTime, shortTime, stateName } from './format.ts';

const NOON = Date.UTC(2026, 10, 18, 12, 0, 5);

test('times are as short as they can be', () => {
  expect(shortTime(NOON, 'utc', NOON + 1000)).toBe('12:00:05');
  expect(shortTime(NOON, 'utc', NOON + 86_400_000)).toBe('Nov 18, 12:00');
  expect(shortTime(NOON, 'utc', NOON + 400 * 86_400_000)).toBe('Nov 18, 2026');
  expect(fullTime(NOON, 'utc')).toContain('UTC (2026-11-18T12:00:05.000Z)');
});

test.each([
  [12, '12 ms'],
  [1500, '1.50 s'],
  [12_400, '12.4 s'],
  [200_000, '3 min 20 s'],
  [1_800_000, '30 min'],
  [7_500_000, '2 h 5 min'],
  [273_600_000, '3 d 4 h'],
])('%d ms is %s', (milliseconds, text) => {
  expect(duration(milliseconds)).toBe(text);
});

test('distances, sizes, counts and states in words', () => {
  expect([relativeTime(NOON, NOON + 90_000), relativeTime(NOON + 5000, NOON)]).toEqual([
    '1 min ago',
    'in 5 s',
  ]);
  expect([bytes(999), bytes(1500), bytes(12_000_000)]).toEqual(['999 B', '1.5 kB', '12 MB']);
  expect([counted(1, 'event'), counted(1200, 'event')]).toEqual(['1 event', '1,200 events']);
  expect(stateName('TASK_STATE_INPUT_REQUIRED')).toBe('input required');
});
