import type { IncomingMessage } from 'node:http';

export interface SseFrame {
  id?: string;
  event?: string;
  data: string;
}

/** Parses server-sent events frame by frame and ignores comments. Leaving the loop closes the connection. */
export async function* readSse(response: IncomingMessage): AsyncGenerator<SseFrame> {
  response.setEncoding('utf8');
  let rest = '';
  try {
    for await (const chunk of response as AsyncIterable<string>) {
      const blocks = (rest + chunk).split('\n\n');
      rest = blocks.pop() ?? '';
      for (const block of blocks) {
        const frame = parseFrame(block);
        if (frame !== undefined) {
          yield frame;
        }
      }
    }
  } finally {
    response.destroy();
  }
  if (rest.trim() !== '') {
    throw new Error(`The event stream ended within a frame: ${rest}`);
  }
}

function parseFrame(block: string): SseFrame | undefined {
  const fields = new Map<string, string>();
  for (const line of block.split('\n')) {
    const colon = line.indexOf(':');
    if (colon > 0) {
      const name = line.slice(0, colon);
      const value = line.slice(colon + 1).replace(/^ /, '');
      fields.set(name, fields.has(name) ? `${fields.get(name)}\n${value}` : value);
    }
  }
  const data = fields.get('data');
  if (data === undefined) {
    return undefined;
  }
  const id = fields.get('id');
  const event = fields.get('event');
  return { data, ...(id === undefined ? {} : { id }), ...(event === undefined ? {} : { event }) };
}
