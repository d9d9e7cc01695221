import { followTask, type TaskView } from '@holdword/client/internal';
import type { StreamResponse } from '@holdword/protocol';
import { checkTaskId, foreignEvent, type RemoteCall } from './remote-call.ts';
import type { EventLog } from './event-log.ts';

/** Longest interval between two polls of an agent that does not stream. Some agents allow 30 requests per minute. */
const POLL_MILLISECONDS = 4_000;

/**
 * Follows a task until it ends, needs input or the timeout expires. Reconnects after a lost connection: with the last event
 * ID if the agent supports resuming, otherwise from a snapshot. Polls agents that do not stream.
 */
export async function follow(call: RemoteCall, view: TaskView, log: EventLog): Promise<void> {
  await followTask({
    connect: call.connect,
    view,
    limit: call.limit,
    pollMilliseconds: POLL_MILLISECONDS,
    headers: call.headers,
    onEvent: (event) => {
      recordEvent(call, log, event);
    },
    onForeignEvent: () => {
      throw foreignEvent();
    },
  });
}

/** Adds an event to the log and reports it. */
export function recordEvent(call: RemoteCall, log: EventLog, event: StreamResponse): void {
  const id = taskIdOf(event);
  if (id !== undefined && !('message' in event)) checkTaskId(id);
  if (log.add(event)) call.onEvent(event);
}

export function taskIdOf(event: StreamResponse): string | undefined {
  const { taskId } = 'task' in event ? { taskId: event.task.id } : updateOf(event);
  return taskId === '' ? undefined : taskId;
}

function updateOf(event: Exclude<StreamResponse, { task: unknown }>): { taskId?: string | undefined } {
  if ('message' in event) return event.message;
  return 'statusUpdate' in event ? event.statusUpdate : event.artifactUpdate;
}
