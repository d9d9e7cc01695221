import type { StreamFrame } from '../engine/recent-frames.ts';

type Frames = AsyncGenerator<readonly StreamFrame[], void, undefined>;

/** The given frames, then the rest if there is any. */
export async function* framesFirst(first: readonly StreamFrame[], rest?: Frames): Frames {
  yield first;
  if (rest !== undefined) yield* rest;
}

/** One stream after the other. */
export async function* inOrder(...streams: Frames[]): Frames {
  for (const stream of streams) yield* stream;
}
