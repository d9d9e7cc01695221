import { createHash } from 'node:crypto';
import type { Owner, Turn } from '@holdword/runtime';

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

/**
 * The conversation of a turn: its context, unless another anonymous caller could use the same id. An anonymous caller with a
 * guessable context id gets one conversation per task.
 */
export function conversationOf({
  owner,
  contextId,
  taskId,
}: Pick<Turn, 'owner' | 'contextId' | 'taskId'>): string {
  return owner.authenticated || isUnguessable(contextId) ? contextId : JSON.stringify([contextId, taskId]);
}

/** A random UUID (version 4) or a time-ordered random UUID (version 7). */
const RANDOM_UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[47][0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

/**
 * Whether an id can serve as a shared secret. Nothing else distinguishes anonymous callers: two of them may both choose an id
 * such as `support`.
 */
export function isUnguessable(id: string): boolean {
  return RANDOM_UUID.test(id);
}
