import type { ServerResponse } from 'node:http';
import { isA2AError } from '@holdword/protocol';
import type { EventStream, StreamFrame } from '../operations/operations.ts';
import type { HandlerContext } from './handler-context.ts';
import type { HttpRequestContext } from './http-request-context.ts';
import type { OpenStream } from './keep-alive.ts';
import { logFailure } from './respond.ts';

/** How a binding wraps the JSON of a frame, and what it writes when a stream fails midway. */
export interface Framing {
  readonly before: string;
  readonly after: string;
  /** Complete lines of one server-sent event. */
  encodeError(error: unknown): string;
}

const HEADERS = {
  'Content-Type': 'text/event-stream',
  'Cache-Control': 'no-cache',
  'X-Accel-Buffering': 'no',
};

/**
 * Writes a stream as server-sent events, one write per batch, and ends the response. The next batch is pulled only when
 * the socket is writable again (J5), so a slow reader does not make the server buffer anything.
 */
export async function writeEventStream(
  { keepAlive, log }: Pick<HandlerContext, 'keepAlive' | 'log'>,
  stream: EventStream,
  framing: Framing,
  context: HttpRequestContext,
  response: ServerResponse,
): Promise<void> {
  const open: OpenStream = { response, wroteSinceBeat: true, stalledSeconds: 0, end: () => context.abort() };
  response.writeHead(200, HEADERS);
  response.flushHeaders();
  keepAlive.add(open);
  try {
    for await (const frames of stream) {
      if (response.closed) break;
      open.wroteSinceBeat = true;
      if (!response.write(encodeFrames(frames, framing))) await drained(response);
      if (context.signal.aborted) break;
    }
  } catch (error) {
    if (!context.signal.aborted) {
      logFailure(log, error);
      response.write(framing.encodeError(error));
    }
  } finally {
    keepAlive.delete(open);
    context.releaseStream?.();
    const { reason }: { reason: unknown } = context.signal;
    if (isA2AError(reason) && !response.closed) response.write(framing.encodeError(reason));
    response.end();
  }
}

function encodeFrames(frames: readonly StreamFrame[], { before, after }: Framing): string {
  let text = '';
  for (const { json, sequence } of frames) {
    if (sequence !== undefined) text += `id: ${sequence}\n`;
    text += `data: ${before}${json}${after}\n\n`;
  }
  return text;
}

/** Resolves when the socket is writable again, or closed. */
function drained(response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      response.off('drain', done);
      response.off('close', done);
      resolve();
    };
    response.on('drain', done);
    response.on('close', done);
    if (response.closed) done();
  });
}
