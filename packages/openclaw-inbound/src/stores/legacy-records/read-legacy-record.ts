import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from '@holdword/store';
import { legacyRecordSchema, type LegacyRecord } from './legacy-record.ts';

/** Error codes for a file that does not exist or cannot exist under that name. */
const NO_FILE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENAMETOOLONG', 'ENOTDIR']);

/** The file name of a task. */
export function legacyFileName(taskId: string): string {
  return `${Buffer.from(taskId).toString('base64url')}.json`;
}

/** Reads a task's record from a folder of the legacy plugin; undefined if there is none. The file is not changed. */
export async function readLegacyRecord(folder: string, taskId: string): Promise<LegacyRecord | undefined> {
  const name = legacyFileName(taskId);
  const content = await readIfThere(join(folder, name));
  if (content === undefined) return undefined;
  const result = legacyRecordSchema.safeParse(parse(content));
  const problem = result.success
    ? result.data.task.id !== taskId && 'it contains a different task than its name says'
    : (result.error.issues[0]?.message ?? 'it is not valid JSON');
  if (result.success && problem === false) return result.data;
  throw new StoreError(
    'corrupt',
    `${name} is not a valid task record: ${String(problem)}. Restore it from a backup or remove it.`,
  );
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_FILE.has(error.code)) return undefined;
    throw new StoreError(
      'unavailable',
      'The record of a task could not be read. Check the file permissions of the task store.',
      { cause: error },
    );
  }
}

function parse(content: string): unknown {
  try {
    return JSON.parse(content);
  } catch {
    return undefined;
  }
}
