import { TaskView } from '@holdword/client/internal';
import { checkTaskId, peerOptions, withFreshCredentials, type RemoteCall } from '../calls/remote-call.ts';
import { EventLog } from '../calls/event-log.ts';
import { follow, recordEvent, replyOf } from '../calls/follow.ts';
import { timedOut } from '../results/call-error.ts';
import type { Outcome } from '../results/outcome.ts';
import { replyOutcome } from '../results/reply-outcome.ts';
import { withStreamDetails } from '../results/stream-details.ts';
import type { Services } from '../services.ts';

/** Follows a task until it ends or needs input; rejects on timeout. */
export async function watchTask(call: RemoteCall, taskId: string, services: Services): Promise<Outcome> {
  const { limits } = services.config;
  const log = new EventLog({ keptCharacters: limits.rawCharacters, allCharacters: limits.streamBytes });
  try {
    const view = await withFreshCredentials(services, call.target, () => begin(call, taskId, log));
    await follow(call, view, log);
    if (!view.isSettled) throw timedOut();
    const { card } = await call.connect(0);
    return await replyOutcome(call.target, replyOf(view, card, log), services);
  } catch (error) {
    throw withStreamDetails(error, log, call.limit);
  }
}

/** Fetches the task; its events are followed from there. */
async function begin(call: RemoteCall, taskId: string, log: EventLog): Promise<TaskView> {
  const { peer } = await call.connect(0);
  const task = await peer.get({ id: taskId }, peerOptions(call));
  checkTaskId(task.id, taskId);
  recordEvent(call, taskId, log, { task });
  return new TaskView(task);
}
