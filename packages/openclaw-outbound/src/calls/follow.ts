import { followTask, type TaskView } from '@holdword/client';
import type { AgentCard, StreamResponse } from '@holdword/protocol';
import { checkTaskId, type Call } from './call.ts';
import type { EventLog } from './event-log.ts';
import type { Reply } from './reply.ts';

/** The longest pause between two questions to an agent that does not stream. */
const POLL_MILLISECONDS = 2_000;

/**
 * Follows a task until it ends, asks for something or the time is up, through broken connections: from its place where
 * the agent numbers its events, from a snapshot otherwise, and by asking now and then where the agent does not stream.
 */
export async function follow(call: Call, view: TaskView, log: EventLog): Promise<void> {
  await followTask({
    connect: call.connect,
    view,
    limit: call.limit,
    pollMilliseconds: POLL_MILLISECONDS,
    headers: call.headers,
    onEvent: (event) => {
      note(call, view.id, log, event);
    },
  });
}

/** Takes an event into the log, if it is about the task. */
export function note(call: Call, taskId: string | undefined, log: EventLog, event: StreamResponse): void {
  const id = taskIdOf(event);
  if (id !== undefined) checkTaskId(id, taskId);
  if (log.add(event)) call.onEvent(event);
}

export function taskIdOf(event: StreamResponse): string | undefined {
  if ('task' in event) return event.task.id;
  if ('message' in event) return event.message.taskId;
  const { taskId } = 'statusUpdate' in event ? event.statusUpdate : event.artifactUpdate;
  return taskId === '' ? undefined : taskId;
}

export function replyOf(view: TaskView, card: AgentCard, log: EventLog): Reply {
  return {
    content: { task: view.toTask() },
    streaming: card.capabilities.streaming,
    log,
  };
}
