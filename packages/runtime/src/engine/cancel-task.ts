import { A2AError, isTerminal, type Task } from '@holdword/protocol';
import type { TaskHeader } from '@holdword/store';
import type { LiveTasks } from './live-tasks.ts';
import type { TaskFold } from './task-fold.ts';
import type { TaskReader } from './task-reader.ts';
import type { Turns } from './turns.ts';

/**
 * Cancels a task, whether it runs here or in another process, is queued, or waits for its user. The state is committed
 * first and wins over anything the agent says afterwards (J6); a process that runs the task loses it, and notices that
 * way. Canceling a canceled task again changes nothing.
 */
export async function cancelTask(
  { liveTasks, turns, reader }: { liveTasks: LiveTasks; turns: Turns; reader: TaskReader },
  header: TaskHeader,
): Promise<Task> {
  if (isTerminal(header.state)) {
    const ended = await reader.current(header.taskId);
    if (ended?.task.status.state === 'TASK_STATE_CANCELED') return ended.task;
    throw notCancelable(header.taskId, header.state);
  }
  const live = await liveTasks.open(header, { force: true });
  try {
    if (live.writeStatus('TASK_STATE_CANCELED', undefined, { releaseLease: true })) turns.cancel(live.taskId);
    await live.flushed();
    const state = live.writtenState;
    if (state !== 'TASK_STATE_CANCELED') throw notCancelable(live.taskId, state ?? 'unknown');
    return (live.committed as TaskFold).toTask();
  } finally {
    liveTasks.close(live);
  }
}

function notCancelable(taskId: string, state: string): A2AError {
  return new A2AError(
    'TASK_NOT_CANCELABLE',
    `Task ${taskId} has ended (${state}) and can no longer be canceled.`,
  );
}
