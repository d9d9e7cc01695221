/** Where the runtime reports to its operator. Fields contain ids and numbers, never message content or secrets. */
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

export const noopLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

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

/**
 * Returns a function that is true on its first call, and then at most once per interval: for log lines that would
 * repeat.
 */
export function oncePerInterval(intervalMilliseconds: number): () => boolean {
  let last = -Infinity;
  return () => {
    const now = performance.now();
    if (now - last < intervalMilliseconds) return false;
    last = now;
    return true;
  };
}
