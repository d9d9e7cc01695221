import type { Readable } from 'node:stream';
import { StringDecoder } from 'node:string_decoder';

/** Reads a stream to its end and returns its last `limit` bytes, or slightly less to not split a character. */
export async function readTail(stream: Readable, limit: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  try {
    for await (const chunk of stream as AsyncIterable<Buffer>) {
      chunks.push(chunk);
      size += chunk.length;
      while (chunks[0] !== undefined && size - chunks[0].length >= limit) {
        size -= chunks[0].length;
        chunks.shift();
      }
    }
  } catch {
    // The stream was closed early; what has arrived is the output.
  }
  return new StringDecoder('utf8').write(fromWholeCharacter(Buffer.concat(chunks), limit));
}

function fromWholeCharacter(bytes: Buffer, limit: number): Buffer {
  let start = Math.max(0, bytes.length - limit);
  if (start === 0) return bytes;
  // Bytes of the form 10xxxxxx continue a character.
  while (start < bytes.length && ((bytes[start] as number) & 0xc0) === 0x80) start += 1;
  return bytes.subarray(start);
}
