import { checkTaskId, peerOptions, withFreshCredentials } from '../calls/remote-call.ts';
import { replyOutcome } from '../results/reply-outcome.ts';
import type { ActionHandler } from './action.ts';
import { followUp } from './follow-up.ts';

/** Asks the agent to cancel the task. */
export const cancel: ActionHandler = (action, services) =>
  followUp(action, services, (call, taskId) =>
    withFreshCredentials(services, call.target, async () => {
      const { peer, card } = await call.connect(0);
      const task = await peer.cancel({ id: taskId }, peerOptions(call));
      checkTaskId(task.id, taskId);
      const reply = { content: { task }, streaming: card.capabilities.streaming };
      return replyOutcome(call.target, reply, services);
    }),
  );
