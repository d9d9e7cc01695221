import { createHash } from 'node:crypto';
import { toDatabaseText } from '../database-text.ts';

const MAX_CHARACTERS = 255;

/** Clients choose their idempotency keys, and index entries are limited in length: a long key is stored as its hash. */
export function toIndexedKey(key: string): string {
  if (key.length <= MAX_CHARACTERS) return toDatabaseText(key);
  return `sha256:${createHash('sha256').update(key).digest('hex')}`;
}
