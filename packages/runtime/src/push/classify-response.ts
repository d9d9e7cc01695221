import type { GuardedResponse } from '@holdword/net/internal';

/** The outcome of one attempt. `refused`: the receiver or the policy said no, and retrying will hardly help. */
export type Outcome =
  | { kind: 'delivered' }
  | { kind: 'failed'; error: string; refused: boolean; retryAfterMilliseconds?: number }
  | { kind: 'gone'; error: string };

const WORTH_REPEATING: ReadonlySet<number> = new Set([408, 425, 429]);

export function classifyResponse({ status, headers }: Pick<GuardedResponse, 'status' | 'headers'>): Outcome {
  if (status >= 200 && status < 300) return { kind: 'delivered' };
  const error = `answered ${status}`;
  if (status === 410) return { kind: 'gone', error };
  const refused = status < 500 && !WORTH_REPEATING.has(status);
  const retryAfterMilliseconds = readRetryAfter(headers['retry-after']);
  return {
    kind: 'failed',
    error,
    refused,
    ...(retryAfterMilliseconds !== undefined && { retryAfterMilliseconds }),
  };
}

/** Seconds or a date (RFC 9110, 10.2.3). */
function readRetryAfter(value: string | string[] | undefined): number | undefined {
  if (typeof value !== 'string') return undefined;
  const milliseconds = /^\d+$/.test(value) ? Number(value) * 1000 : Date.parse(value) - Date.now();
  return Number.isFinite(milliseconds) ? Math.max(0, milliseconds) : undefined;
}
