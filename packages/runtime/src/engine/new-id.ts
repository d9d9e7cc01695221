import { randomFillSync } from 'node:crypto';

const DIGITS = Buffer.from('0123456789abcdef');
const RANDOM_BYTES = 10;

/** The text of the next id, written in place: every message needs several ids. */
const text = Buffer.from('00000000-0000-7000-8000-000000000000');
let lastTime = -1;

/** Random bytes for many ids: fetching them for each id would cost more than everything else. */
const pool = Buffer.allocUnsafe(RANDOM_BYTES * 400);
let used = pool.length;

/** A version 7 UUID: unguessable, and ordered by time so that new tasks are close together in an index. */
export function newId(now: number = Date.now()): string {
  if (now !== lastTime) writeTime(now);
  if (used === pool.length) {
    randomFillSync(pool);
    used = 0;
  }
  // 74 random bits: 12 after the version, 2 and 60 with the variant between them.
  const variantAndMore = pool[used + 2] as number;
  writeDigit(15, pool[used] as number);
  writeByte(16, used + 1);
  writeDigit(19, 8 | (variantAndMore & 3));
  writeDigit(20, variantAndMore >> 4);
  writeByte(21, used + 3);
  for (let index = 4; index < RANDOM_BYTES; index += 1) writeByte(16 + index * 2, used + index);
  used += RANDOM_BYTES;
  return text.toString('latin1');
}

function writeTime(now: number): void {
  const time = now.toString(16).padStart(12, '0');
  text.write(`${time.slice(0, 8)}-${time.slice(8)}`, 'latin1');
  lastTime = now;
}

/** Both hexadecimal digits of a byte of the pool. */
function writeByte(position: number, index: number): void {
  const byte = pool[index] as number;
  writeDigit(position, byte >> 4);
  writeDigit(position + 1, byte);
}

/** The hexadecimal digit of the lower half of a byte. */
function writeDigit(position: number, value: number): void {
  text[position] = DIGITS[value & 15] as number;
}
