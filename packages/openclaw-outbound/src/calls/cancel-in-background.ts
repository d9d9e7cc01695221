import { TimeLimit } from '@holdword/client/internal';
import type { SendMessageRequest } from '@holdword/protocol';
import type { Services } from '../services.ts';
import { openRemoteCall, peerOptions, type RemoteCall } from './remote-call.ts';

const TIMEOUT_SECONDS = 10;

/**
 * Cancels the task of a call that was aborted. If the task is not known yet and the agent supports idempotency, sending the
 * same message again returns it.
 */
export function cancelInBackground(
  services: Pick<Services, 'connections' | 'background'>,
  { target, headers }: Pick<RemoteCall, 'target' | 'headers'>,
  { taskId, request }: { taskId: string | undefined; request: SendMessageRequest },
): void {
  services.background.run(async () => {
    using limit = new TimeLimit(TIMEOUT_SECONDS);
    const call = openRemoteCall(services, { target, limit, serviceParameters: headers });
    const { peer, extensions } = await call.connect(0);
    let id = taskId;
    if (id === undefined && extensions.idempotency) {
      const retry = { ...request, configuration: { ...request.configuration, returnImmediately: true } };
      const answer = await peer.send(retry, peerOptions(call));
      id = 'task' in answer ? answer.task.id : undefined;
    }
    if (id !== undefined) await peer.cancel({ id }, peerOptions(call));
  });
}
