/** The words that make every peer do the same work, as the demo agent of `holdword serve` understands them. */
export const ECHO_TEXT = 'hello';
export const ECHO_REQUEST = `echo ${ECHO_TEXT}`;

export function countRequest(chunks: number): string {
  return `count to ${chunks}`;
}

/** How many chunks a request asks for; none when it is not a request to count. */
export function requestedChunks(request: string): number | undefined {
  const chunks = /^count to (\d+)$/.exec(request)?.[1];
  return chunks === undefined ? undefined : Number(chunks);
}

export function chunkText(number: number): string {
  return `${number}\n`;
}

/** What the agent says when it has counted. */
export function countedText(chunks: number): string {
  return `Counted to ${chunks}.`;
}

export function userMessage(messageId: string, text: string): object {
  return { messageId, role: 'ROLE_USER', parts: [{ text }] };
}
