import type { TaskState } from '@holdword/protocol';
import type { CommittedEvent, JournalEntry, NewTask, StatusChange, Store } from '../port.ts';

let created = 0;

export function sampleStatus(state: TaskState, time = 1_700_000_000_000): StatusChange {
  return { state, time, json: JSON.stringify({ state, timestamp: new Date(time).toISOString() }) };
}

/** A new task with one event and a unique ID. */
export function sampleTask(changes: Partial<NewTask> = {}): NewTask {
  created += 1;
  const taskId = `task-${created}`;
  return {
    taskId,
    owner: 'tenant/alice',
    contextId: 'context-1',
    status: sampleStatus('TASK_STATE_SUBMITTED'),
    entries: [{ json: `{"task":{"id":"${taskId}"}}`, changesStatus: true }],
    holder: 'process-1',
    ...changes,
  };
}

/** Creates a sample task in the store. */
export async function createSampleTask(store: Store, changes: Partial<NewTask> = {}): Promise<NewTask> {
  const task = sampleTask(changes);
  const result = await store.createTask(task);
  if (!result.created) throw new Error(`The idempotency key of ${task.taskId} is taken.`);
  return task;
}

/** Events that contain their sequence number. */
export function sampleEntries(firstSequence: number, count: number): JournalEntry[] {
  return Array.from({ length: count }, (_, index) => ({
    json: `{"artifactUpdate":{"n":${firstSequence + index}}}`,
  }));
}

/** The whole journal, read in pages. */
export async function readAllEvents(store: Store, taskId: string, pageSize = 100): Promise<CommittedEvent[]> {
  const all: CommittedEvent[] = [];
  for (;;) {
    const page = await store.readEvents(taskId, all.length, pageSize);
    if (page.length === 0) return all;
    all.push(...page);
  }
}
