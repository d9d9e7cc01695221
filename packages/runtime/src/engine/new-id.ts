import { randomFillSync } from 'node:crypto';

const POOL_BYTES = 10 * 256;
const pool = Buffer.allocUnsafe(POOL_BYTES);
let used = POOL_BYTES;

/**
 * A UUID of version 7: unguessable, and ordered by time so that new tasks land side by side in an index. Random bytes
 * are drawn for many ids at once because a system call per id costs more than the id.
 */
export function newId(now: number = Date.now()): string {
  if (used === POOL_BYTES) {
    randomFillSync(pool);
    used = 0;
  }
  const random = pool.toString('hex', used, used + 10);
  used += 10;
  const time = now.toString(16).padStart(12, '0');
  const variant = (8 | (Number.parseInt(random.charAt(3), 16) & 3)).toString(16);
  return `${time.slice(0, 8)}-${time.slice(8)}-7${random.slice(0, 3)}-${variant}${random.slice(4, 7)}-${random.slice(7, 19)}`;
}
