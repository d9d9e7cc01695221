import { createHash } from 'node:crypto';

const EXTENSION = '.jsonl';

/** A name of fixed length that every file system takes and keeps apart from others, also one that ignores case. */
export function taskFileName(taskId: string): string {
  return `${createHash('sha256').update(taskId).digest('hex')}${EXTENSION}`;
}

export function isTaskFileName(name: string): boolean {
  return name.endsWith(EXTENSION);
}
