/** Names a context: two owners may call theirs the same. */
export function contextKey(owner: string, contextId: string): string {
  return `${owner}\n${contextId}`;
}
