import { checkTaskId, peerOptions, withFreshCredentials } from '../calls/remote-call.ts';
import { replyOutcome } from '../results/reply-outcome.ts';
import type { ActionHandler } from './action.ts';
import { followUp } from './follow-up.ts';

/** Fetches the current state of a task. */
export const status: ActionHandler = (action, services) =>
  followUp(action, services, async (call, taskId) => {
    const { history_length: historyLength } = action.request;
    return withFreshCredentials(services, call.target, async () => {
      const { peer, card } = await call.connect(0);
      const task = await peer.get(
        { id: taskId, ...(historyLength !== undefined && { historyLength }) },
        peerOptions(call),
      );
      checkTaskId(task.id, taskId);
      const reply = { content: { task }, streaming: card.capabilities.streaming };
      return replyOutcome(call.target, reply, services);
    });
  });
