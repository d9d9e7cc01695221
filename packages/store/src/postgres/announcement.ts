import { fromDatabaseText, toDatabaseText } from '../database-text.ts';
import type { CommittedGroup } from './group-writer.ts';

/** A notification is limited to 8,000 bytes; the rest is for the writer and the number. */
const MAX_TASKS_BYTES = 7800;
const SEQUENCE_BYTES = 24;

/** Encodes a group as the payloads of as many notifications as it needs. */
export function groupToPayloads({ writer, number, commits }: CommittedGroup): string[] {
  const payloads: string[] = [];
  let tasks: (string | number)[] = [];
  let bytes = 0;
  for (const { taskId, lastSequence } of commits) {
    const id = toDatabaseText(taskId);
    const size = Buffer.byteLength(JSON.stringify(id)) + SEQUENCE_BYTES;
    if (bytes + size > MAX_TASKS_BYTES && tasks.length > 0) {
      payloads.push(JSON.stringify([writer, number, tasks]));
      tasks = [];
      bytes = 0;
    }
    tasks.push(id, lastSequence);
    bytes += size;
  }
  payloads.push(JSON.stringify([writer, number, tasks]));
  return payloads;
}

/** Returns undefined for a payload that Holdword has not sent. */
export function payloadToGroup(payload: string): CommittedGroup | undefined {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    return undefined;
  }
  if (!Array.isArray(value)) return undefined;
  const [writer, number, tasks] = value as unknown[];
  if (typeof writer !== 'string' || typeof number !== 'number' || !Array.isArray(tasks)) return undefined;
  const commits: { taskId: string; lastSequence: number }[] = [];
  for (let index = 0; index < tasks.length; index += 2) {
    const [id, lastSequence] = tasks.slice(index, index + 2) as unknown[];
    if (typeof id !== 'string' || typeof lastSequence !== 'number') return undefined;
    commits.push({ taskId: fromDatabaseText(id), lastSequence });
  }
  return { writer, number, commits };
}
