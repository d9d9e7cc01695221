import type { Random } from '../random.ts';

const BROKEN_UTF8 = [
  [0xff],
  [0xc0, 0xaf],
  [0xed, 0xa0, 0x80],
  [0xf8, 0x88, 0x80, 0x80, 0x80],
  [0xe2, 0x82],
  [0x00],
] as const;

/** A copy that is truncated, flipped, filled with invalid UTF-8, doubled or replaced by noise. */
export function mutateBytes(bytes: Buffer, random: Random): Buffer {
  const index = random.integer(0, Math.max(0, bytes.length - 1));
  switch (random.integer(0, 5)) {
    case 0:
      return bytes.subarray(0, index);
    case 1:
      return flipped(bytes, index, random.integer(1, 255));
    case 2:
      return spliced(bytes, index, Buffer.from(random.pick(BROKEN_UTF8)));
    case 3:
      return Buffer.concat([bytes, bytes]);
    case 4:
      return spliced(bytes, index, Buffer.from('['.repeat(random.pick([10, 5_000, 100_000]))));
    default:
      return noise(random, random.pick([0, 1, 7, 64, 1_024]));
  }
}

export function noise(random: Random, length: number): Buffer {
  return Buffer.from(Array.from({ length }, () => random.integer(0, 255)));
}

function flipped(bytes: Buffer, index: number, mask: number): Buffer {
  const copy = Buffer.from(bytes);
  if (copy.length > 0) copy[index] = (copy[index] ?? 0) ^ mask;
  return copy;
}

function spliced(bytes: Buffer, index: number, inserted: Buffer): Buffer {
  return Buffer.concat([bytes.subarray(0, index), inserted, bytes.subarray(index)]);
}
