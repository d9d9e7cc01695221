import { createHash } from 'node:crypto';

const JOURNAL_EXTENSION = '.jsonl';

export function journalFileName(taskId: string): string {
  return `${safeName(taskId)}${JOURNAL_EXTENSION}`;
}

export function isJournalFileName(name: string): boolean {
  return name.endsWith(JOURNAL_EXTENSION);
}

export function snapshotFileName(taskId: string): string {
  return `${safeName(taskId)}.json`;
}

/** A name of fixed length that is valid and unique on every file system, including those that ignore case. */
function safeName(taskId: string): string {
  return createHash('sha256').update(taskId).digest('hex');
}
