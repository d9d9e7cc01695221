import type { A2ASession } from '../../session/a2a-session.ts';

const TIMEOUT_SECONDS = 5;

/**
 * Cancels the tasks of canceled calls. Responsible for tracking cancellations in flight, so that the program does not exit
 * before they are delivered; failures are ignored.
 */
export class RemoteCancellations {
  readonly #session: A2ASession;
  readonly #inFlight = new Set<Promise<void>>();

  constructor(session: A2ASession) {
    this.#session = session;
  }

  /** Does nothing if the task of the call is not known yet. */
  begin(agentId: unknown, taskId: unknown): void {
    if (typeof agentId !== 'string' || typeof taskId !== 'string') return;
    const work = this.#cancel(agentId, taskId).finally(() => this.#inFlight.delete(work));
    this.#inFlight.add(work);
  }

  async settled(): Promise<void> {
    await Promise.all(this.#inFlight);
  }

  async #cancel(agentId: string, taskId: string): Promise<void> {
    try {
      await this.#session.cancelTask(agentId, taskId, { timeout: TIMEOUT_SECONDS });
    } catch {
      // The task has ended, or the agent cannot cancel it or be reached.
    }
  }
}
