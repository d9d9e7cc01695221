import { parseJson } from '../json-value.ts';

const END = '[DONE]';

/**
 * The JSON values of a streamed completion: the `data` lines of server-sent events, one value each, until the stream says
 * that it is done. Ends early when the connection does; whoever reads knows by the finish reason whether that is so.
 */
export async function* completionChunks(body: AsyncIterable<Buffer>): AsyncGenerator {
  const decoder = new TextDecoder();
  let unfinished = '';
  for await (const bytes of body) {
    const lines = (unfinished + decoder.decode(bytes, { stream: true })).split(/\r?\n/);
    unfinished = lines.pop() ?? '';
    for (const line of lines) {
      if (!line.startsWith('data:')) continue;
      const data = line.slice('data:'.length).trim();
      if (data === END) return;
      yield parseJson(data);
    }
  }
}
