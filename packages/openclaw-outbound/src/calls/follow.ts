import { followTask, type TaskView } from '@holdword/client/internal';
import type { AgentCard, StreamResponse } from '@holdword/protocol';
import { checkTaskId, type RemoteCall } from './remote-call.ts';
import type { EventLog } from './event-log.ts';
import { presentId, type Reply } from './reply.ts';

/** Longest interval between two polls of an agent that does not stream. */
const POLL_MILLISECONDS = 2_000;

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
      recordEvent(call, view.id, log, event);
    },
  });
}

/** Adds an event to the log and reports it. Throws if it belongs to a different task. */
export function recordEvent(
  call: RemoteCall,
  taskId: string | undefined,
  log: EventLog,
  event: StreamResponse,
): void {
  const id = taskIdOf(event);
  if (id !== undefined) checkTaskId(id, taskId);
  if (log.add(event)) call.onEvent(event);
}

export function taskIdOf(event: StreamResponse): string | undefined {
  if ('task' in event) return event.task.id;
  if ('message' in event) return event.message.taskId;
  const { taskId } = 'statusUpdate' in event ? event.statusUpdate : event.artifactUpdate;
  return presentId(taskId);
}

export function replyOf(view: TaskView, card: AgentCard, log: EventLog): Reply {
  return {
    content: { task: view.toTask() },
    streaming: card.capabilities.streaming,
    log,
  };
}
