import type { Turn } from '@holdword/runtime';
import { isUnguessable } from './is-unguessable.ts';

/**
 * The conversation of a turn: its context, unless another anonymous caller could use the same id. An anonymous caller with a
 * guessable context id gets one conversation per task.
 */
export function conversationOf({
  owner,
  contextId,
  taskId,
}: Pick<Turn, 'owner' | 'contextId' | 'taskId'>): string {
  return owner.authenticated || isUnguessable(contextId) ? contextId : JSON.stringify([contextId, taskId]);
}
