import { TimeLimit } from '@holdword/client/internal';
import type { OutboundConfig } from '../config/read-config.ts';
import type { RemoteAgentRequest } from '../request/request.ts';

/** The largest delay that a Node.js timer accepts. */
const MAX_TIMEOUT_MILLISECONDS = 2 ** 31 - 1;

/** The timeout of a request, combined with its caller's abort signal. */
export function requestTime(
  { timeout_ms: requested }: Pick<RemoteAgentRequest, 'timeout_ms'>,
  { defaults }: OutboundConfig,
  signal: AbortSignal | undefined,
): TimeLimit {
  return new TimeLimit(Math.min(requested ?? defaults.timeoutMs, MAX_TIMEOUT_MILLISECONDS) / 1000, signal);
}
