import { randomUUID } from 'node:crypto';

/** A version 7 UUID: unguessable, and ordered by time so that new tasks are close together in an index. */
export function newId(now: number = Date.now()): string {
  const time = now.toString(16).padStart(12, '0');
  // What follows the version of a random UUID: twelve random bits, the variant, and 62 random bits.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}
