import { TimeLimit } from '@holdword/client';
import type { OutboundConfig } from '../config/read-config.ts';
import type { RemoteAgentRequest } from '../request/request.ts';

/** More than this is no time for a timer of Node. */
const LONGEST = 2 ** 31 - 1;

/** The time that a request may take, and its caller's wish to stop. */
export function requestTime(
  { timeout_ms: wanted }: Pick<RemoteAgentRequest, 'timeout_ms'>,
  { defaults }: OutboundConfig,
  signal: AbortSignal | undefined,
): TimeLimit {
  return new TimeLimit(Math.min(wanted ?? defaults.timeoutMs, LONGEST) / 1000, signal);
}
