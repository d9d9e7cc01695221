import { isUtf8 } from 'node:buffer';
import type { IncomingMessage } from 'node:http';
import { A2AError } from '@holdword/protocol';
import { isDeeperThan, isValueDeeperThan } from '@holdword/protocol/internal';
import { LIMIT_METADATA } from '../observe/observer.ts';

/**
 * Rejects a body that is not declared as JSON. A web page of another origin can send such a body without a preflight
 * request, and without this check it would be executed.
 */
export function requireJson(request: IncomingMessage): void {
  const encoding = request.headers['content-encoding'];
  if (encoding !== undefined && encoding !== 'identity') {
    const found = JSON.stringify(encoding.slice(0, 80));
    throw new A2AError(
      'CONTENT_TYPE_NOT_SUPPORTED',
      `Content-Encoding ${found} is not supported. Send the body without Content-Encoding.`,
    );
  }
  const type = request.headers['content-type'];
  if (
    type === 'application/json' ||
    (type !== undefined && /^application\/([\w.-]+\+)?json *(;|$)/i.test(type))
  ) {
    return;
  }
  throw new A2AError(
    'CONTENT_TYPE_NOT_SUPPORTED',
    `Content-Type must be application/json, found ${type === undefined ? 'none' : JSON.stringify(type.slice(0, 80))}.`,
  );
}

/** The body of a POST request, which may be empty. Other methods have none. */
export async function readRestBody(request: IncomingMessage, limit: number): Promise<string> {
  if (request.method !== 'POST') return '';
  const { 'content-length': length, 'transfer-encoding': encoding } = request.headers;
  if (encoding !== undefined || (length !== undefined && length !== '0')) requireJson(request);
  return readBody(request, limit);
}

/** The usual limit of protobuf parsers. */
const MOST_LEVELS = 100;
const BYTE_ORDER_MARK = 0xfeff;

/**
 * The whole body as JSON text that is not nested too deeply. Rejects with REQUEST_TOO_LARGE as soon as the limit is
 * exceeded.
 */
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
      const text = toText(chunks.length === 1 && first ? first : Buffer.concat(chunks, size));
      if (typeof text === 'string') resolve(text);
      else reject(text);
      // The request lives as long as its response, which may be a stream for hours, and this promise as long as the
      // request.
      chunks.length = 0;
    });
    request.on('error', (cause) => reject(cutOff(cause)));
  });
}

/** The text, or the reason why there is none. */
function toText(body: Buffer): string | A2AError {
  // Bytes that are not UTF-8 would silently become different text.
  if (!isUtf8(body)) return new A2AError('PARSE_ERROR', 'Request body is not valid UTF-8.');
  const text = body.toString();
  if (isDeeperThan(text, MOST_LEVELS)) return tooDeep();
  return text.charCodeAt(0) === BYTE_ORDER_MARK ? text.slice(1) : text;
}

/** Rejects a request that is nested too deeply, on a binding whose requests are not JSON. */
export function requireShallow(request: unknown): void {
  if (isValueDeeperThan(request, MOST_LEVELS)) throw tooDeep();
}

function tooDeep(): A2AError {
  return new A2AError(
    'INVALID_PARAMS',
    `Request JSON is nested too deeply (limit: ${MOST_LEVELS} levels). Send deep data as text or as a file.`,
  );
}

/** The client left before its request was complete. */
export function cutOff(cause?: Error): A2AError {
  return new A2AError(
    'INVALID_REQUEST',
    'The connection was closed before the whole request body had arrived.',
    { cause },
  );
}

export function tooLarge(limit: number): A2AError {
  return new A2AError(
    'REQUEST_TOO_LARGE',
    `Request body is too large (limit: ${limit} bytes). Send less at once, or send links instead of files.`,
    { metadata: { limitBytes: String(limit), [LIMIT_METADATA]: 'bodyBytes' } },
  );
}
