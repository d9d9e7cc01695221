import type { JsonObject } from '@holdword/protocol';
import type { Store, TaskHeader } from '@holdword/store';
import { readEvidence } from '../evidence/read-evidence.ts';
import { readEarlierTasks } from './earlier-tasks.ts';
import { witnessPacket, type PacketSubject } from './witness-packet.ts';

const TASKS_SEARCHED = 20;

export interface PacketQuery {
  /** The owner of the tasks, as stored. */
  readonly owner: string;
  readonly contextId: string;
  /** The task to hand over. Default: the most likely task of the session. */
  readonly taskId?: string | undefined;
  /** The task that asks for the packet, which is not the work itself. */
  readonly askingTaskId?: string | undefined;
}

/** Builds the packet from the current journals of a session. */
export async function buildPacket(
  store: Store,
  query: PacketQuery,
  subject: PacketSubject,
): Promise<JsonObject> {
  const taskId = query.taskId ?? (await likelyTask(store, query))?.taskId;
  const evidence = taskId === undefined ? undefined : await readEvidence(store, taskId);
  const except = [taskId, query.askingTaskId].filter((id) => id !== undefined);
  const earlier = await readEarlierTasks(store, { ...query, exceptTaskIds: except });
  return witnessPacket(subject, evidence, earlier);
}

/** The newest unfinished task, otherwise the newest, otherwise the one that asks. */
async function likelyTask(store: Store, query: PacketQuery): Promise<TaskHeader | undefined> {
  const { owner, contextId, askingTaskId } = query;
  const { tasks } = await store.listTasks({ owner, contextId, limit: TASKS_SEARCHED });
  const others = tasks.filter(({ taskId }) => taskId !== askingTaskId);
  return others.find(({ state }) => state !== 'TASK_STATE_COMPLETED') ?? others[0] ?? tasks[0];
}
