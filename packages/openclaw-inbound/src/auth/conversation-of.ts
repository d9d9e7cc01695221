import type { Turn } from '@holdword/runtime';
import { isUnguessable } from './is-unguessable.ts';

/**
 * The conversation that a turn belongs to. It is the context, unless a stranger could have named the same one: a caller
 * without a credential whose context has a name that can be guessed has a conversation for each task.
 */
export function conversationOf({
  owner,
  contextId,
  taskId,
}: Pick<Turn, 'owner' | 'contextId' | 'taskId'>): string {
  return owner.authenticated || isUnguessable(contextId) ? contextId : JSON.stringify([contextId, taskId]);
}
