import type { JsonObject, TaskState } from '@holdword/protocol';
import { buildContinuation } from '../continuation/build-continuation.ts';
import type { Services } from '../services.ts';
import type { Target } from '../targets/target.ts';

/** Details that let the model continue with a task although the call failed. */
export async function taskDetails(
  target: Target,
  task: {
    readonly id: string;
    readonly contextId?: string | undefined;
    readonly state?: TaskState | undefined;
  },
  { handles, signature }: Pick<Services, 'handles' | 'signature'>,
): Promise<JsonObject> {
  const { id, contextId, state } = task;
  const alias = target.configured?.alias;
  const handle = await handles.bind({ address: target, alias, taskId: id, contextId, state });
  return {
    task_id: id,
    task_handle: handle,
    ...(contextId !== undefined && { context_id: contextId }),
    suggested_action: 'status',
    continuation: buildContinuation({
      target,
      signature: target.configured === undefined ? await signature.sign(target) : undefined,
      task: { handle, id, state },
      contextId,
    }),
  };
}
