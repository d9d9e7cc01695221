import { A2AError } from '@holdword/protocol';

/** The whole body as text. An agent that answers with more than fits is refused rather than cut short. */
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
    `Expected an answer of at most ${maxBytes} bytes, found a longer one. Ask for less, or raise maxResponseBytes.`,
  );
}
