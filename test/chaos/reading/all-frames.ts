import type { EventFrame } from '../wire/client.ts';

/** Reads a stream without cuts until the server ends it. */
export async function allFrames(stream: AsyncIterable<EventFrame>): Promise<EventFrame[]> {
  const frames: EventFrame[] = [];
  for await (const frame of stream) frames.push(frame);
  return frames;
}
