import { isAlive } from './process-identity.ts';
import { listProcesses, type ProcessEntry } from './process-list.ts';
import type { ProcessRecord } from './process-records.ts';

/**
 * Kills every living process that belongs to one of the records: those that carry its mark, the recorded process itself,
 * and the others in their groups. Gives the marks of which something was found alive; call it again for these until none
 * is left, for a process can start another one while it is being killed.
 */
export async function endMarkedProcesses(records: readonly ProcessRecord[]): Promise<Set<string>> {
  const entries = await listProcesses();
  const marks = new Map<number, string>();
  for (const entry of entries) {
    const record = records.find((candidate) => belongsTo(entry, candidate));
    if (record !== undefined) marks.set(entry.group, record.mark);
  }
  const found = new Set<string>();
  for (const entry of entries) {
    const mark = marks.get(entry.group);
    if (mark === undefined) continue;
    found.add(mark);
    kill(entry);
  }
  return found;
}

function belongsTo(entry: ProcessEntry, { mark, process: recorded }: ProcessRecord): boolean {
  if (entry.marks.includes(mark)) return true;
  return recorded !== undefined && entry.pid === recorded.pid && entry.startTime === recorded.startTime;
}

/** Looks once more: the number may belong to another process by now. */
function kill(entry: ProcessEntry): void {
  if (!isAlive(entry)) return;
  try {
    process.kill(entry.pid, 'SIGKILL');
  } catch {
    // It has ended by itself.
  }
}
