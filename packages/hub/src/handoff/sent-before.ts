import type { StreamResponse } from '@holdword/protocol';
import { ownerFromKey, ownerKey } from '@holdword/runtime/internal';
import type { Store } from '@holdword/store';
import type { Continuation, MessageIds } from '../hub-part.ts';
import { ownerOfAgent } from '../identity/identity.ts';
import type { Handoff } from './handoff.ts';

/**
 * Where the successor's message went when it was sent before with its idempotency key (J8). The work has moved on since: what would
 * be the destination of a new message is another one, and the hand-off may be finished. Undefined if the message is new.
 */
export async function findSentBefore(
  store: Store,
  { agentId, contextId }: Handoff,
  { messageId, idempotencyKey }: MessageIds,
): Promise<Omit<Continuation, 'requireHolder'> | undefined> {
  if (idempotencyKey === undefined) return undefined;
  const owner = ownerKey(ownerOfAgent(agentId));
  const taskId = (await store.findIdempotencyKey(owner, idempotencyKey))?.taskId;
  const header = taskId === undefined ? undefined : await store.readTask(taskId);
  if (header?.contextId !== contextId) return undefined;
  const [first] = await store.readEvents(header.taskId, 0, 1);
  const event = first === undefined ? undefined : (JSON.parse(first.json) as StreamResponse);
  const request = event !== undefined && 'task' in event ? event.task.history?.[0] : undefined;
  const hasStarted = request?.messageId === messageId;
  return {
    contextId,
    owner: ownerFromKey(owner),
    ...(hasStarted ? { referenceTaskIds: request.referenceTaskIds ?? [] } : { taskId: header.taskId }),
  };
}
