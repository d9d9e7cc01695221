import { randomBytes, randomUUID } from 'node:crypto';
import { hostname } from 'node:os';

/* What a new event gets: an id, a time, and the process that it comes from. Every message needs several, so each is cheap. */

/** A version 7 UUID: unguessable, and ordered by time so that new tasks are close together in an index. */
export function newId(now: number = Date.now()): string {
  const time = now.toString(16).padStart(12, '0');
  // What follows the version of a random UUID: twelve random bits, the variant, and 62 random bits.
  return `${time.slice(0, 8)}-${time.slice(8)}-7${randomUUID().slice(15)}`;
}

const MOST_HOST_CHARACTERS = 60;

/**
 * A name for this process that no other process ever has, even one with the same number on a machine of the same name. Operators
 * recognize the process by it.
 */
export function processName(): string {
  const host = hostname().slice(0, MOST_HOST_CHARACTERS) || 'localhost';
  return `${host}/${process.pid}/${randomBytes(6).toString('hex')}`;
}

let lastTime = Number.NaN;
let lastText = '';

/** A time in the format of A2A, created once per millisecond: every message needs several. */
export function isoTime(now: number = Date.now()): string {
  if (now !== lastTime) {
    lastTime = now;
    lastText = new Date(now).toISOString();
  }
  return lastText;
}

/** The milliseconds of a time; cached for the most recent one. */
export function millisecondsOf(time: string): number {
  return time === lastText ? lastTime : Date.parse(time);
}
