import { readServerSentEvents } from '@holdword/net/internal';
import { parseJson } from '../json-value.ts';
import { tooMuchOutput } from '../limit-errors.ts';

const END = '[DONE]';

/**
 * The JSON values of a streamed completion, one per server-sent event, until `[DONE]`. Ends early if the connection does;
 * the reader notices by the missing finish reason.
 */
export async function* completionChunks(body: AsyncIterable<Buffer>, maxBytes: number): AsyncGenerator {
  const limit = { length: maxBytes, tooLong: () => tooMuchOutput(maxBytes) };
  for await (const { data } of readServerSentEvents(body, limit)) {
    if (data === END) return;
    yield parseJson(data);
  }
}
