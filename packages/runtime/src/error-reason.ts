const MOST_CAUSES = 5;

/** What an error says, with its causes, for the operator's log: `fetch failed: connect ECONNREFUSED 127.0.0.1:443`. */
export function errorReason(error: unknown): string {
  const reasons: string[] = [];
  let current = error;
  for (let depth = 0; current instanceof Error && depth < MOST_CAUSES; depth += 1) {
    reasons.push(current.message || current.name);
    current = current.cause;
  }
  if (reasons.length === 0 || typeof current === 'string') reasons.push(String(current));
  return reasons.join(': ').replaceAll('.: ', ': ');
}
