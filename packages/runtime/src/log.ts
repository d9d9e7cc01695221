/** Where the runtime reports to its operator. Fields contain ids and numbers, never message content or secrets. */
export interface Log {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
  error(message: string, fields?: Record<string, unknown>): void;
}

export const noopLog: Log = { info: () => {}, warn: () => {}, error: () => {} };

const MOST_CAUSES = 5;

/** What was thrown, as text. Never throws, whatever an agent throws. */
export function errorText(error: unknown): string {
  try {
    return String(error);
  } catch {
    return `a thrown ${typeof error} that cannot be shown as text`;
  }
}

/** What an error says, with its causes, for the operator's log: `fetch failed: connect ECONNREFUSED 127.0.0.1:443`. */
export function errorReason(error: unknown): string {
  const reasons: string[] = [];
  let current = error;
  for (let depth = 0; current instanceof Error && depth < MOST_CAUSES; depth += 1) {
    reasons.push(current.message || current.name);
    current = current.cause;
  }
  if (reasons.length === 0 || typeof current === 'string') reasons.push(errorText(current));
  return reasons.join(': ').replaceAll('.: ', ': ');
}

const MILLISECONDS_BETWEEN_OUTAGES = 60_000;

/**
 * Logs a failure that lasts, such as an unreachable store, once when it begins, with its reason, and once when it has ended,
 * however often it is noticed. Failures that come and go are logged at most once a minute.
 */
export class OutageLog {
  readonly #log: Log;
  readonly #beginning: string;
  readonly #end: string;
  #loggedAt = -Infinity;
  #isLogged = false;
  #isFailing = false;

  constructor(log: Log, { beginning, end }: { readonly beginning: string; readonly end: string }) {
    this.#log = log;
    this.#beginning = beginning;
    this.#end = end;
  }

  get isFailing(): boolean {
    return this.#isFailing;
  }

  failed(error: unknown, fields: Record<string, unknown> = {}): void {
    this.#isFailing = true;
    const now = performance.now();
    if (this.#isLogged || now - this.#loggedAt < MILLISECONDS_BETWEEN_OUTAGES) return;
    this.#isLogged = true;
    this.#loggedAt = now;
    this.#log.error(this.#beginning, { ...fields, error: errorReason(error) });
  }

  /** Costs nothing while all is well. The end is a warning, so that the log shows it wherever it shows the beginning. */
  succeeded(fields?: Record<string, unknown>): void {
    if (!this.#isFailing) return;
    this.#isFailing = false;
    if (!this.#isLogged) return;
    this.#isLogged = false;
    this.#log.warn(this.#end, fields);
  }
}
