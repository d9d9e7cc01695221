import { A2AError } from '@holdword/protocol';

/** Reads the whole body as text. A body over the limit is rejected, not truncated. */
export async function readLimited(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.length;
    if (size > maxBytes) throw tooLarge(maxBytes);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}

export function tooLarge(maxBytes: number): A2AError {
  return new A2AError(
    'INVALID_AGENT_RESPONSE',
    `The agent's response exceeds the limit of ${maxBytes} bytes. Request less, or raise maxResponseBytes.`,
  );
}
