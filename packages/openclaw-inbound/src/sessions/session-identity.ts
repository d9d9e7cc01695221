import { createHash } from 'node:crypto';
import type { Owner } from '@holdword/runtime';

/** Who talks to the host and in which conversation, as the host's session keys can hold it. */
export interface SessionIdentity {
  /** The caller within the account. */
  readonly senderId: string;
  /** The conversation of that caller: one session of the host. */
  readonly conversationId: string;
}

/**
 * The session of a caller's conversation. The host lowercases session keys and gives meaning to some characters, and
 * conversations of different callers may have the same name: hashes keep apart what is apart (J9).
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
