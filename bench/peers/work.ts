/** The messages that make every peer do the same work; the demo agent of `holdword serve` understands them. */
export const ECHO_TEXT = 'hello';
export const ECHO_REQUEST = `echo ${ECHO_TEXT}`;

export function countRequest(chunks: number): string {
  return `count to ${chunks}`;
}

/** The number of requested chunks; undefined if it is not a request to count. */
export function requestedChunks(request: string): number | undefined {
  const chunks = /^count to (\d+)$/.exec(request)?.[1];
  return chunks === undefined ? undefined : Number(chunks);
}

export function chunkText(number: number): string {
  return `${number}\n`;
}

/** The final message of the agent after counting. */
export function countedText(chunks: number): string {
  return `Counted to ${chunks}.`;
}

export function userMessage(messageId: string, text: string): object {
  return { messageId, role: 'ROLE_USER', parts: [{ text }] };
}
