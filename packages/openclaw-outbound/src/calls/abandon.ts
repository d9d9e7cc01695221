import { TimeLimit } from '@holdword/client';
import type { SendMessageRequest } from '@holdword/protocol';
import type { Services } from '../services.ts';
import { openCall, peerOptions, type Call } from './call.ts';

const SECONDS = 10;

/**
 * Asks the agent to stop what a call has begun that its caller has given up. Where the task is not known yet, an agent
 * that knows ids of messages tells it when the same message comes again.
 */
export function abandon(
  services: Pick<Services, 'connections' | 'background'>,
  { target, headers }: Pick<Call, 'target' | 'headers'>,
  { taskId, request }: { taskId: string | undefined; request: SendMessageRequest },
): void {
  services.background.run(async () => {
    using limit = new TimeLimit(SECONDS);
    const call = openCall(services, { target, limit, serviceParameters: headers });
    const { peer, extensions } = await call.connect(0);
    let id = taskId;
    if (id === undefined && extensions.idempotency) {
      const again = { ...request, configuration: { ...request.configuration, returnImmediately: true } };
      const answer = await peer.send(again, peerOptions(call));
      id = 'task' in answer ? answer.task.id : undefined;
    }
    if (id !== undefined) await peer.cancel({ id }, peerOptions(call));
  });
}
