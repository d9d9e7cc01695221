/** Identifies a context. Two owners may use the same context id. */
export function contextLockKey(owner: string, contextId: string): string {
  return `${owner}\n${contextId}`;
}
