import { isObject } from '@holdword/protocol/internal';
import type { RemoteAgentRequest } from '../contract.ts';
import { contextName, shownId } from '../remote-ids.ts';
import { unknownHandle } from '../request/resolve-destination.ts';
import type { TaskHandles } from '../state/task-handles.ts';

/*
 * Ids that are not shown to models, because they could contain a text. A model sees the handle of the task or a name of the
 * conversation instead, and passes it back in the same fields.
 */

/** A result for the model with names for the ids that are not shown. What agents wrote is already marked, thus text. */
export function hideIds(value: unknown, handle?: string): unknown {
  if (Array.isArray(value)) return value.map((item) => hideIds(item, handle));
  if (!isObject(value)) return value;
  const { task_handle: own, taskHandle: named = handle } = value;
  const nearest = typeof own === 'string' ? own : typeof named === 'string' ? named : undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]): [string, unknown][] => {
      if (typeof each !== 'string') return [[key, hideIds(each, nearest)]];
      if (key === 'context_id') return [[key, shownId(each) ?? contextName(each)]];
      if (key !== 'task_id') return [[key, each]];
      const shown = shownId(each) ?? nearest;
      return shown === undefined ? [] : [[key, shown]];
    }),
  );
}

/** A request with the ids behind the names that {@link hideIds} has put in their place. */
export async function withRealIds(
  request: RemoteAgentRequest,
  handles: TaskHandles,
): Promise<RemoteAgentRequest> {
  const { task_id: taskId, context_id: contextId, reference_task_ids: references, continuation } = request;
  const { task, conversation } = continuation ?? {};
  const taskOf = (id: string): Promise<string> => realId(id, /^rah_/, 'taskId', handles);
  const contextOf = (id: string): Promise<string> => realId(id, /^rac_[0-9a-f]{32}$/, 'contextId', handles);
  return {
    ...request,
    ...(taskId !== undefined && { task_id: await taskOf(taskId) }),
    ...(contextId !== undefined && { context_id: await contextOf(contextId) }),
    ...(references && { reference_task_ids: await Promise.all(references.map(taskOf)) }),
    ...(continuation && {
      continuation: {
        ...continuation,
        ...(task && { task: { ...task, task_id: await taskOf(task.task_id) } }),
        ...(conversation && {
          conversation: { ...conversation, context_id: await contextOf(conversation.context_id) },
        }),
      },
    }),
  };
}

async function realId(
  id: string,
  names: RegExp,
  field: 'taskId' | 'contextId',
  handles: TaskHandles,
): Promise<string> {
  if (!names.test(id)) return id;
  // An expired handle is as good: the agent may still know the task.
  const real = (await handles.find(id))?.entry[field];
  if (real === undefined) throw unknownHandle(id);
  return real;
}
