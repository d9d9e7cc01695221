import type { IncomingMessage } from 'node:http';
import { A2AError } from '@parley/protocol';
import { LIMIT_METADATA } from '../observe/watched-call.ts';

/** The whole body as text. Rejects with REQUEST_TOO_LARGE as soon as it is known to pass the limit. */
export function readBody(request: IncomingMessage, limit: number): Promise<string> {
  if (Number(request.headers['content-length'] ?? 0) > limit) return Promise.reject(tooLarge(limit));
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = [];
    let size = 0;
    request.on('data', (chunk: Buffer) => {
      size += chunk.length;
      if (size > limit) {
        request.removeAllListeners('data');
        request.pause();
        reject(tooLarge(limit));
      } else {
        chunks.push(chunk);
      }
    });
    request.on('end', () => {
      const [first] = chunks;
      resolve(chunks.length === 1 && first ? first.toString() : Buffer.concat(chunks, size).toString());
      // The request lives as long as its answer, which may be a stream for hours.
      chunks.length = 0;
    });
    request.on('error', (cause) => reject(cutOff(cause)));
  });
}

function cutOff(cause: Error): A2AError {
  return new A2AError('INVALID_REQUEST', 'The connection closed before the whole body had come.', { cause });
}

function tooLarge(limit: number): A2AError {
  return new A2AError(
    'REQUEST_TOO_LARGE',
    `Expected a body of at most ${limit} bytes, found a larger one. Send less at once, or a file as a url part.`,
    { metadata: { limitBytes: String(limit), [LIMIT_METADATA]: 'bodyBytes' } },
  );
}
