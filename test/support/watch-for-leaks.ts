import { afterAll, beforeAll, expect } from 'vitest';
import { activeResources, leftBehind, type ActiveResources } from './active-resources.ts';
import { waitUntil } from './wait-until.ts';

/**
 * Fails the surrounding group of tests if it leaks a server, a child process or a timer. Call it first, so that it checks
 * last.
 */
export function watchForLeaks(): void {
  let before: ActiveResources = {};
  beforeAll(() => {
    before = activeResources();
  });
  afterAll(async () => {
    await waitUntil(
      'servers, children and timers to end',
      () => leftBehind(before, activeResources()).length === 0,
    ).catch(() => {
      expect(leftBehind(before, activeResources()), 'leaked by this group of tests').toEqual([]);
    });
  });
}
