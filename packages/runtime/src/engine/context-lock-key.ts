/** Names a context: two owners may call theirs the same. */
export function contextLockKey(owner: string, contextId: string): string {
  return `${owner}\n${contextId}`;
}
