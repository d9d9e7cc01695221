import type { A2ASession } from '../../session/a2a-session.ts';

const TIMEOUT_SECONDS = 5;

/**
 * Cancels the tasks of calls that hosts have canceled. Responsible for knowing which are under way, so that a program does
 * not end before its agents know; a task that cannot be canceled is left as it is.
 */
export class RemoteCancellations {
  readonly #session: A2ASession;
  readonly #inFlight = new Set<Promise<void>>();

  constructor(session: A2ASession) {
    this.#session = session;
  }

  /** Does nothing as long as it is not known which task the call was about. */
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
      // It has ended, or its agent cannot cancel or be reached: there is nobody left to tell.
    }
  }
}
