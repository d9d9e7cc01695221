import { textOfParts, type StreamResponse, type TaskState } from '@holdword/protocol';
import type { CommittedEvent, Store, TaskHeader } from '@holdword/store';
import type { Fact } from '../evidence/evidence.ts';

/** A summary of another task in the session. */
export interface EarlierTask {
  task_id: string;
  state: TaskState;
  request: Fact | null;
  /** The last status message of the agent. */
  last_words: Fact | null;
}

const MAX_TASKS = 10;
const MAX_TEXT_LENGTH = 300;

/** Summarizes the other tasks of a session, newest first. Each costs two reads. */
export async function readEarlierTasks(
  store: Store,
  of: { owner: string; contextId: string; exceptTaskIds: readonly string[] },
): Promise<EarlierTask[]> {
  const page = await store.listTasks({ owner: of.owner, contextId: of.contextId, limit: MAX_TASKS + 2 });
  const others = page.tasks.filter(({ taskId }) => !of.exceptTaskIds.includes(taskId));
  return Promise.all(others.slice(0, MAX_TASKS).map((header) => earlierTask(store, header)));
}

async function earlierTask(store: Store, header: TaskHeader): Promise<EarlierTask> {
  const { taskId, state, lastSequence } = header;
  const [first] = await store.readEvents(taskId, 0, 1);
  const last = await store.readStatusEvent(taskId, lastSequence);
  return {
    task_id: taskId,
    state,
    request: first === undefined ? null : requestOf(taskId, first),
    last_words: last === undefined ? null : lastWordsOf(taskId, last),
  };
}

function requestOf(taskId: string, { json, sequence }: CommittedEvent): Fact | null {
  const event = JSON.parse(json) as StreamResponse;
  const message = 'task' in event ? event.task.history?.[0] : undefined;
  return message === undefined ? null : fact(textOfParts(message.parts), 'user', taskId, sequence);
}

function lastWordsOf(taskId: string, { json, sequence }: CommittedEvent): Fact | null {
  const event = JSON.parse(json) as StreamResponse;
  const message = 'statusUpdate' in event ? event.statusUpdate.status.message : undefined;
  return message === undefined ? null : fact(textOfParts(message.parts), 'agent', taskId, sequence);
}

function fact(text: string, by: Fact['by'], taskId: string, sequence: number): Fact | null {
  if (text === '') return null;
  const cut = text.length > MAX_TEXT_LENGTH ? `${text.slice(0, MAX_TEXT_LENGTH)}…` : text;
  return { text: cut, by, source: { task_id: taskId, sequence } };
}
