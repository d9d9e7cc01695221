import { createHash } from 'node:crypto';
import type { Owner } from '@holdword/runtime';

/** The caller and the conversation, in a form that fits the host's session keys. */
export interface SessionIdentity {
  /** The caller within the account. */
  readonly senderId: string;
  /** The caller's conversation: one host session. */
  readonly conversationId: string;
}

/**
 * The session of a caller's conversation. The host lowercases session keys and treats some characters specially, and
 * conversations of different callers may have the same id, so both are hashed to keep them distinct (J9).
 */
export function sessionIdentity(accountId: string, owner: Owner, conversation: string): SessionIdentity {
  const caller = owner.authenticated ? [owner.tenant, owner.caller] : [owner.tenant];
  return {
    senderId: `${owner.authenticated ? 'peer' : 'anonymous'}-${digest([accountId, caller])}`,
    conversationId: digest([accountId, caller, conversation]),
  };
}

function digest(value: unknown): string {
  return createHash('sha256').update(JSON.stringify(value)).digest('hex').slice(0, 40);
}
