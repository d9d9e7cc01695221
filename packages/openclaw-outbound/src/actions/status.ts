import { checkTaskId, peerOptions, withFreshCredentials } from '../calls/call.ts';
import { replyOutcome } from '../results/reply-outcome.ts';
import type { RunAction } from './action.ts';
import { followUp } from './follow-up.ts';

/** The task as it is now. */
export const status: RunAction = (action, services) =>
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
