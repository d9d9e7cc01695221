import { TimeLimit } from '@holdword/client/internal';
import { isTerminal, type SendMessageRequest, type Task } from '@holdword/protocol';
import { withTimeout } from '@holdword/protocol/internal';
import type { TargetConnections } from '../targets/target-connections.ts';
import { openRemoteCall, peerOptions, type RemoteCall } from './remote-call.ts';

const CANCEL_TIMEOUT_SECONDS = 10;

/** How long closing waits for work that is still running. */
const FINISH_MILLISECONDS = 2_000;

/** Work that continues after its call has returned. Failures are ignored; only `finish` waits for it, for a while. */
export class BackgroundWork {
  readonly #running = new Set<Promise<unknown>>();

  run(work: () => Promise<unknown>): void {
    const done: Promise<unknown> = work()
      .catch(() => {})
      .finally(() => this.#running.delete(done));
    this.#running.add(done);
  }

  async finish(): Promise<void> {
    await withTimeout(Promise.all(this.#running), FINISH_MILLISECONDS).catch(() => {});
  }
}

type Addressee = Pick<RemoteCall, 'target' | 'headers'>;

/** Cancels a task and returns whether it has ended. */
export async function cancelTask(
  connections: TargetConnections,
  { target, headers }: Addressee,
  taskId: string,
): Promise<boolean> {
  using limit = new TimeLimit(CANCEL_TIMEOUT_SECONDS);
  const call = openRemoteCall(connections, { target, limit, serviceParameters: headers });
  const { peer } = await call.connect(0);
  const { status } = await peer.cancel({ id: taskId }, peerOptions(call));
  return isTerminal(status.state);
}

/**
 * Finds the task of a message without an answer. That needs an agent with idempotency, which returns the same task if the same
 * message is sent again.
 */
export async function findTask(
  connections: TargetConnections,
  { target, headers }: Addressee,
  request: SendMessageRequest,
  seconds = CANCEL_TIMEOUT_SECONDS,
): Promise<Task | undefined> {
  using limit = new TimeLimit(seconds);
  const call = openRemoteCall(connections, { target, limit, serviceParameters: headers });
  const { peer, extensions } = await call.connect(0);
  if (!extensions.idempotency) return undefined;
  const again = { ...request, configuration: { ...request.configuration, returnImmediately: true } };
  const answer = await peer.send(again, peerOptions(call));
  return 'task' in answer ? answer.task : undefined;
}
