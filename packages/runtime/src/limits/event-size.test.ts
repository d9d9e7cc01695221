import { expect, test } from 'vitest';
import { checkEventSize, EventTooLarge } from './event-size.ts';

test('measures bytes, not characters', () => {
  expect(() => checkEventSize('x'.repeat(100), 100)).not.toThrow();
  expect(() => checkEventSize('x'.repeat(101), 100)).toThrow(EventTooLarge);
  expect(() => checkEventSize('€'.repeat(33), 100)).not.toThrow();
  expect(() => checkEventSize('€'.repeat(34), 100)).toThrow('an event of 102 bytes; at most 100');
});
