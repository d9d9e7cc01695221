import type { Message } from '@holdword/protocol';
import type { Store } from '@holdword/store';
import { loadFold } from './load-fold.ts';

const DEFAULT_LIMIT = 100;
const TASKS_READ = 50;

/** Messages of the context's other tasks, oldest first: the newest ones, at most `limit`. */
export async function readContextHistory(
  store: Store,
  of: { owner: string; contextId: string; exceptTaskId: string },
  limit: number = DEFAULT_LIMIT,
): Promise<Message[]> {
  const page = await store.listTasks({ owner: of.owner, contextId: of.contextId, limit: TASKS_READ });
  const messages: Message[] = [];
  if (limit <= 0) return messages;
  for (const header of page.tasks) {
    if (header.taskId === of.exceptTaskId) continue;
    const loaded = await loadFold(store, header.taskId, header.lastSequence);
    messages.unshift(...(loaded?.fold.history ?? []));
    if (messages.length >= limit) break;
  }
  return messages.slice(-limit);
}
