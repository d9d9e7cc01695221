/** An event whose content follows from its place, so that a reader needs no copy to compare with. */
export function crashEventJson(taskId: string, sequence: number): string {
  return JSON.stringify({ taskId, sequence, text: '🧨'.repeat(sequence % 50) });
}
