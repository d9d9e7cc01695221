import type { ApprovalListeners } from './approval-capability.ts';

export type ApprovalChoice = 'allow-once' | 'allow-always' | 'deny';

/** A host tool that needs approval before it runs. */
export interface HostApproval {
  readonly approvalId: string;
  /** The host expects it back with the decision. */
  readonly approvalKind: 'exec' | 'plugin';
  readonly sessionKey: string;
  /** The decisions that the host accepts. */
  readonly decisions: readonly ApprovalChoice[];
  readonly expiresAt: string;
  readonly callId?: string;
  readonly tool?: string;
  readonly title?: string;
  readonly reason?: string;
  readonly command?: string;
}

export interface ApprovalListener {
  requested(approval: HostApproval): void;
  /** The request was decided or has expired. */
  settled(approvalId: string): void;
}

/**
 * Routes approval requests of tools to their turns. A session has one turn at a time (J10), so the session identifies the turn.
 * Leaves the handling of a request to the turn.
 */
export class ApprovalRouter implements ApprovalListeners {
  readonly #listeners = new Map<string, ApprovalListener>();

  /** Sends the session's approval requests to the listener until the returned function is called. */
  listen(sessionKey: string, listener: ApprovalListener): () => void {
    this.#listeners.set(sessionKey, listener);
    return () => {
      if (this.#listeners.get(sessionKey) === listener) this.#listeners.delete(sessionKey);
    };
  }

  isAwaited(sessionKey: string): boolean {
    return this.#listeners.has(sessionKey);
  }

  requested(approval: HostApproval): void {
    this.#listeners.get(approval.sessionKey)?.requested(approval);
  }

  settled(sessionKey: string, approvalId: string): void {
    this.#listeners.get(sessionKey)?.settled(approvalId);
  }
}
