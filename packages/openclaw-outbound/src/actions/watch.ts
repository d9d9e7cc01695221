import type { ActionHandler } from './action.ts';
import { followUp } from './follow-up.ts';
import { waitFor } from './wait-for.ts';
import { watchTask } from './watch-task.ts';

/** Follows a task until it ends or needs input; with `wait_for`, several tasks. */
export const watch: ActionHandler = (action, services) => {
  const { wait_for: wanted } = action.request;
  if (wanted !== undefined) return waitFor(wanted, action, services);
  return followUp(action, services, (call, taskId) => watchTask(call, taskId, services));
};
