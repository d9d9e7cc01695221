import type { ApprovalListeners } from './approval-capability.ts';

export type ApprovalChoice = 'allow-once' | 'allow-always' | 'deny';

/** A tool of the host may run only after somebody has allowed it. */
export interface HostApproval {
  readonly approvalId: string;
  /** The host wants to hear it again with the decision. */
  readonly approvalKind: 'exec' | 'plugin';
  readonly sessionKey: string;
  /** Those that the host accepts for this question. */
  readonly decisions: readonly ApprovalChoice[];
  readonly expiresAt: string;
  readonly callId?: string;
  readonly tool?: string;
  readonly title?: string;
  readonly reason?: string;
  readonly command?: string;
}

export interface ApprovalListener {
  asked(approval: HostApproval): void;
  /** Somebody decided, or nobody did in time. */
  settled(approvalId: string): void;
}

/**
 * Brings the questions of tools to the turns they belong to. One session has one turn at a time (J10), so that the session
 * tells which turn asks. Leaves what becomes of a question to the turn.
 */
export class ApprovalDesk implements ApprovalListeners {
  readonly #listeners = new Map<string, ApprovalListener>();

  /** Until the returned function is called, questions of the session go to the listener. */
  listen(sessionKey: string, listener: ApprovalListener): () => void {
    this.#listeners.set(sessionKey, listener);
    return () => {
      if (this.#listeners.get(sessionKey) === listener) this.#listeners.delete(sessionKey);
    };
  }

  isAwaited(sessionKey: string): boolean {
    return this.#listeners.has(sessionKey);
  }

  asked(approval: HostApproval): void {
    this.#listeners.get(approval.sessionKey)?.asked(approval);
  }

  settled(sessionKey: string, approvalId: string): void {
    this.#listeners.get(sessionKey)?.settled(approvalId);
  }
}
