import { createHash } from 'node:crypto';
import { toDatabaseText } from '../database-text.ts';

const MAX_CHARACTERS = 255;

/** Clients choose their idempotency keys, and an index takes no long texts: a long key stands there as its digest. */
export function toIndexedKey(key: string): string {
  if (key.length <= MAX_CHARACTERS) return toDatabaseText(key);
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}
