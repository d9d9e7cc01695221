import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { hasErrorCode } from '@holdword/protocol/internal';
import { StoreError } from '@holdword/store';
import { z } from 'zod';

/** The minimum of an A2A 0.3 task; the rest is checked after the conversion to 1.0. */
const taskOfV03 = z.looseObject({
  id: z.string().min(1),
  contextId: z.string().min(1),
  status: z.looseObject({ state: z.string() }),
});

const eventOfV03 = z.looseObject({ kind: z.enum(['status-update', 'artifact-update']) });

/** Schema 1: the latest task snapshot, in A2A 0.3 JSON. */
const snapshotRecord = z.looseObject({ schemaVersion: z.literal(1), task: taskOfV03 });

/** Schema 2: the task and its journal. */
const journalRecord = z
  .looseObject({
    schemaVersion: z.literal(2),
    task: taskOfV03,
    currentSequence: z.int().min(0),
    journal: z.array(z.object({ sequence: z.int().min(1), event: eventOfV03 })),
  })
  .refine(
    ({ journal }) => journal.every(({ sequence }, index) => sequence > (journal[index - 1]?.sequence ?? 0)),
    {
      error: 'its events are out of order',
    },
  )
  .refine(({ journal, currentSequence }) => (journal.at(-1)?.sequence ?? 0) <= currentSequence, {
    error: 'its journal is longer than currentSequence',
  });

const legacyRecordSchema = z.discriminatedUnion('schemaVersion', [snapshotRecord, journalRecord], {
  error: 'its schemaVersion is neither 1 nor 2',
});

export type LegacyRecord = z.infer<typeof legacyRecordSchema>;

/** Error codes for a file that does not exist or cannot exist under that name. */
const NO_FILE = ['ENOENT', 'ENAMETOOLONG', 'ENOTDIR'];

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
    if (hasErrorCode(error, ...NO_FILE)) return undefined;
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
