import { randomBytes, randomFillSync } from 'node:crypto';
import { hostname } from 'node:os';

/* What a new event gets: an id, a time, and the process that it comes from. Every message needs several, so each is cheap. */

const DIGITS = Buffer.from('0123456789abcdef');
const VARIANTS = Buffer.from('89ab');
/** Where the next id is written: the time, the version 7, and random digits. Its parts as strings would be garbage, half a kilobyte per id. */
const idText = Buffer.from('00000000-0000-7000-8000-000000000000');
const VARIANT_POSITION = 19;
const RANDOM_POSITIONS = [15, 16, 17, 20, 21, 22, 24, 25, 26, 27, 28, 29, 30, 31, 32, 33, 34, 35];
/** Random bytes for many ids, one for each digit: they cost little together, and much one by one. */
const randomBytesOfIds = Buffer.alloc(512 * (RANDOM_POSITIONS.length + 1));
let usedBytes = randomBytesOfIds.length;
let timeOfId = Number.NaN;

/** A version 7 UUID: unguessable, and ordered by time so that new tasks are close together in an index. */
export function newId(now: number = Date.now()): string {
  if (now !== timeOfId) {
    timeOfId = now;
    const time = now.toString(16).padStart(12, '0');
    idText.write(`${time.slice(0, 8)}-${time.slice(8)}`, 'latin1');
  }
  if (usedBytes === randomBytesOfIds.length) {
    randomFillSync(randomBytesOfIds);
    usedBytes = 0;
  }
  idText[VARIANT_POSITION] = VARIANTS[nextRandom() & 3] as number;
  for (const position of RANDOM_POSITIONS) idText[position] = DIGITS[nextRandom() & 15] as number;
  return idText.toString('latin1');
}

function nextRandom(): number {
  return randomBytesOfIds[usedBytes++] as number;
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
