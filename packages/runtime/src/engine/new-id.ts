import { randomUUID } from 'node:crypto';

let lastTime = -1;
let timePart = '';

/**
 * A UUID of version 7: unguessable, and ordered by time so that new tasks land side by side in an index. The random half
 * is that of a random UUID; the first half is the same for all ids of a millisecond.
 */
export function newId(now: number = Date.now()): string {
  if (now !== lastTime) {
    const time = now.toString(16).padStart(12, '0');
    timePart = `${time.slice(0, 8)}-${time.slice(8)}-7`;
    lastTime = now;
  }
  return timePart + randomUUID().slice(15);
}
