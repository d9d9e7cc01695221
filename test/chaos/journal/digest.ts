import { createHash } from 'node:crypto';
import type { EventFrame } from '../wire/client.ts';

/** One short text that stands for every byte and every number of a journal. */
export function digestOf(frames: readonly EventFrame[]): string {
  const hash = createHash('sha256');
  for (const { sequence, json } of frames) hash.update(`${sequence} ${json}\n`);
  return hash.digest('base64');
}
