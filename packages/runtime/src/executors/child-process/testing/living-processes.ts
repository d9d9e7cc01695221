import { readdir } from 'node:fs/promises';
import { listProcesses } from '../running-processes.ts';

/** The marks of all processes that a table on this folder has recorded. */
export async function recordedMarks(folder: string): Promise<string[]> {
  const names = await readdir(folder);
  return names.filter((name) => name.endsWith('.json')).map((name) => name.slice(0, -'.json'.length));
}

/** The pids of the running processes that carry one of the marks. */
export async function livingProcesses(marks: readonly string[]): Promise<number[]> {
  const entries = await listProcesses();
  return entries.filter((entry) => entry.marks.some((mark) => marks.includes(mark))).map(({ pid }) => pid);
}
