import { withTimeout } from '@holdword/protocol/internal';
import type { HostApproval } from '../host/approvals.ts';
import type { HostRun } from './host-run.ts';
import type { TurnWriter } from './turn-writer.ts';

/** A host run whose tool waits for an approval while its task waits for input. */
export interface WaitingRun {
  /** The session that the run occupies. */
  readonly conversationId: string;
  readonly run: HostRun;
  readonly writer: TurnWriter;
  readonly approval: HostApproval;
}

const MAX_RUNS = 1_000;
/** How long to wait for a host that ignores its abort signal. */
const CLOSE_TIMEOUT_MILLISECONDS = 2_000;

/**
 * The runs that wait for an answer, by task. They do not survive a restart: the host has then discarded their tool calls, and
 * the approval has lapsed. A run may continue without the answer if someone else decides or the approval
 * expires; it is kept anyway, because its task has not received the outcome yet. The oldest run is discarded when there are too
 * many.
 */
export class WaitingRuns {
  readonly #runs = new Map<string, WaitingRun>();

  put(taskId: string, waiting: WaitingRun): void {
    this.#runs.set(taskId, waiting);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > MAX_RUNS && oldest !== undefined) this.discard(oldest);
  }

  take(taskId: string): WaitingRun | undefined {
    const waiting = this.#runs.get(taskId);
    this.#runs.delete(taskId);
    return waiting;
  }

  /** The task whose run occupies the session, and whether it waits for an approval. */
  findBusy(conversationId: string): { taskId: string; isAsking: boolean } | undefined {
    for (const [taskId, { run, approval, ...waiting }] of this.#runs) {
      if (waiting.conversationId === conversationId && !run.hasEnded) {
        return { taskId, isAsking: run.isOpen(approval) };
      }
    }
    return undefined;
  }

  /** Aborts the run of a task that will not be answered; its tool does not run. */
  discard(taskId: string): void {
    this.take(taskId)?.run.abort(new Error('The task was abandoned.'));
  }

  async close(): Promise<void> {
    const runs = [...this.#runs.values()].map(({ run }) => run);
    for (const taskId of this.#runs.keys()) this.discard(taskId);
    const ended = Promise.allSettled(runs.map((run) => run.ended));
    await withTimeout(ended, CLOSE_TIMEOUT_MILLISECONDS).catch(() => {});
  }
}
