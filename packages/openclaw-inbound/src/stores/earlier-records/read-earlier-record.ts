import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { StoreError } from '@holdword/store';
import { earlierRecordSchema, type EarlierRecord } from './earlier-record.ts';

/** What the file system says of a file that is not there, or whose name no file can have. */
const NO_FILE: ReadonlySet<unknown> = new Set(['ENOENT', 'ENAMETOOLONG', 'ENOTDIR']);

/** The name of the file that holds a task. */
export function earlierFileName(taskId: string): string {
  return `${Buffer.from(taskId).toString('base64url')}.json`;
}

/** The record of a task in a folder of version 1 of this plugin; undefined if there is none. The file is left as it is. */
export async function readEarlierRecord(folder: string, taskId: string): Promise<EarlierRecord | undefined> {
  const name = earlierFileName(taskId);
  const content = await readIfThere(join(folder, name));
  if (content === undefined) return undefined;
  const result = earlierRecordSchema.safeParse(parse(content));
  const problem = result.success
    ? result.data.task.id !== taskId && 'it holds another task than its name says'
    : (result.error.issues[0]?.message ?? 'it cannot be read');
  if (result.success && problem === false) return result.data;
  throw new StoreError(
    'corrupt',
    `Expected ${name} to be the record of a task, found that ${String(problem)}; restore it from a backup or remove it.`,
  );
}

async function readIfThere(path: string): Promise<string | undefined> {
  try {
    return await readFile(path, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && NO_FILE.has(error.code)) return undefined;
    throw new StoreError(
      'unavailable',
      'Expected the store to do its work, found that the record of a task could not be read; check the permissions.',
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
