import { TimeLimit } from '@holdword/client/internal';
import type { SendMessageRequest } from '@holdword/protocol';
import type { TargetConnections } from '../targets/target-connections.ts';
import { openRemoteCall, peerOptions, type RemoteCall } from './remote-call.ts';

const CANCEL_TIMEOUT_SECONDS = 10;

/** Work that continues after its call has returned. Failures are ignored; only `finish` waits for it. */
export class BackgroundWork {
  readonly #running = new Set<Promise<unknown>>();

  run(work: () => Promise<unknown>): void {
    const done: Promise<unknown> = work()
      .catch(() => {})
      .finally(() => this.#running.delete(done));
    this.#running.add(done);
  }

  async finish(): Promise<void> {
    await Promise.all(this.#running);
  }
}

/**
 * Cancels the task of a call that was aborted. If the task is not known yet and the agent supports idempotency, sending the
 * same message again returns it.
 */
export function cancelInBackground(
  { connections, background }: { connections: TargetConnections; background: BackgroundWork },
  { target, headers }: Pick<RemoteCall, 'target' | 'headers'>,
  { taskId, request }: { taskId: string | undefined; request: SendMessageRequest },
): void {
  background.run(async () => {
    using limit = new TimeLimit(CANCEL_TIMEOUT_SECONDS);
    const call = openRemoteCall(connections, { target, limit, serviceParameters: headers });
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
