import { isAlive } from './process-identity.ts';
import { listProcesses, type ProcessEntry } from './process-list.ts';
import type { ProcessRecord } from './process-records.ts';

/**
 * Kills every process that belongs to one of the records: those that carry its mark, the recorded process itself, and the
 * others in their groups. Returns the marks for which it found a process; call it again for these until none is left,
 * because a process can start another one while it is being killed.
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

/** Checks again: the pid may belong to another process by now. */
function kill(entry: ProcessEntry): void {
  if (!isAlive(entry)) return;
  try {
    process.kill(entry.pid, 'SIGKILL');
  } catch {
    // It has already exited.
  }
}
