import { afterAll, beforeAll, expect } from 'vitest';
import { activeResources, leftBehind, type ActiveResources } from './active-resources.ts';
import { waitUntil } from './wait-until.ts';

/**
 * Fails the group of tests it is called in when that leaves a server, a child or a timer behind. Call it first,
 * so that it looks last.
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
      expect(leftBehind(before, activeResources()), 'left behind by this group of tests').toEqual([]);
    });
  });
}
