/** The text of a body, truncated after `maxBytes`. The rest is not read: leaving the loop closes the connection. */
export async function readAtMost(body: AsyncIterable<Buffer>, maxBytes: number): Promise<string> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of body) {
    chunks.push(chunk.subarray(0, maxBytes - size));
    size += chunk.length;
    if (size > maxBytes) break;
  }
  return Buffer.concat(chunks).toString();
}
