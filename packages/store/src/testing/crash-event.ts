/** An event whose content follows from its sequence number, so that a reader can verify it without a copy. */
export function crashEventJson(taskId: string, sequence: number): string {
  return JSON.stringify({ taskId, sequence, text: '🧨'.repeat(sequence % 50) });
}
