import { createHash } from 'node:crypto';
import type { EventFrame } from '../wire/client.ts';

/** A hash of every byte and every sequence number of a journal. */
export function digestOf(frames: readonly EventFrame[]): string {
  const hash = createHash('sha256');
  for (const { sequence, json } of frames) hash.update(`${sequence} ${json}\n`);
  return hash.digest('base64');
}
