/** The event with this number, which anybody can check. Some are longer than a page of the database. */
export function eventJson(taskId: string, sequence: number): string {
  const length = (sequence * 7919) % 11 === 0 ? 20_000 : 40 + ((sequence * 104_729) % 900);
  return JSON.stringify({ taskId, sequence, text: `${taskId} ${sequence} `.repeat(length / 10) });
}
