import { isTerminal, textOfParts, type JsonObject, type Task } from '@holdword/protocol';

/** The fields an agent needs to continue if it reads a short profile. Parts of the hub can override them. */
export function continuityFields(task: Task | undefined): JsonObject {
  return {
    trace_id: task?.id ?? null,
    last_successful_tool: null,
    last_blocker: blockerOf(task),
    suggested_next_call:
      task === undefined || isTerminal(task.status.state)
        ? { method: 'heartbeat/bundle', params: {} }
        : { method: 'tasks/get', params: { task_id: task.id } },
  };
}

function blockerOf(task: Task | undefined): string | null {
  if (task === undefined || task.status.state === 'TASK_STATE_COMPLETED') return null;
  const { message } = task.status;
  return message === undefined ? null : textOfParts(message.parts);
}
