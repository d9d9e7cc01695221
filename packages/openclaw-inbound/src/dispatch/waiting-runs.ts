import { setTimeout as pause } from 'node:timers/promises';
import type { HostApproval } from '../approvals/approval-desk.ts';
import type { HostRun } from './host-run.ts';
import type { TurnWriter } from './turn-writer.ts';

/** A run of the host whose tool asked for a decision, while its task waits for input. */
export interface WaitingRun {
  /** The session that it keeps busy. */
  readonly conversationId: string;
  readonly run: HostRun;
  readonly writer: TurnWriter;
  readonly approval: HostApproval;
}

const MOST = 1_000;
/** A host that does not heed its signal is not waited for. */
const PATIENCE_MILLISECONDS = 2_000;

/**
 * The runs that wait for an answer, by task. They live as long as this process: after a restart the host has given their
 * tools up, and an answer is a message like any other. A run may go on and end without the answer, where somebody else
 * decides or nobody does in time; it is kept all the same, for its task has not heard of that. The oldest is given up when
 * too many wait.
 */
export class WaitingRuns {
  readonly #runs = new Map<string, WaitingRun>();

  put(taskId: string, waiting: WaitingRun): void {
    this.#runs.set(taskId, waiting);
    const [oldest] = this.#runs.keys();
    if (this.#runs.size > MOST && oldest !== undefined) this.giveUp(oldest);
  }

  take(taskId: string): WaitingRun | undefined {
    const waiting = this.#runs.get(taskId);
    this.#runs.delete(taskId);
    return waiting;
  }

  /** The task whose run keeps the session busy, and whether it waits for a decision. */
  busyIn(conversationId: string): { taskId: string; isAsking: boolean } | undefined {
    for (const [taskId, { run, approval, ...waiting }] of this.#runs) {
      if (waiting.conversationId === conversationId && !run.hasEnded) {
        return { taskId, isAsking: run.isOpen(approval) };
      }
    }
    return undefined;
  }

  /** Nobody will answer: the tool does not run. */
  giveUp(taskId: string): void {
    this.take(taskId)?.run.abort(new Error('The task was given up.'));
  }

  async close(): Promise<void> {
    const runs = [...this.#runs.values()].map(({ run }) => run);
    for (const taskId of this.#runs.keys()) this.giveUp(taskId);
    const ended = Promise.allSettled(runs.map((run) => run.ended));
    await Promise.race([ended, pause(PATIENCE_MILLISECONDS, undefined, { ref: false })]);
  }
}
