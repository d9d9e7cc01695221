import { isObject } from '@holdword/protocol/internal';
import type { RemoteAgentFailure, RemoteAgentSuccess } from '../contract.ts';
import { publicError } from '../remote-agent-error.ts';
import { cutJson } from './foreign-text.ts';
import type { Outcome } from './outcome.ts';

export function failure(action: string, error: unknown): RemoteAgentFailure {
  return { ok: false, operation: 'remote_agent', action, error: publicError(error) };
}

/** `raw` is cut to the limit if needed. */
export function success(
  action: string,
  { summary, raw }: Pick<Outcome, 'summary' | 'raw'>,
  rawLimit: number,
): RemoteAgentSuccess {
  return { ok: true, operation: 'remote_agent', action, summary, ...cutRaw(raw, rawLimit) };
}

/** Part of the limit is reserved for the last event of a stream. */
function cutRaw(raw: unknown, limit: number): Pick<RemoteAgentSuccess, 'raw' | 'raw_cut'> {
  const characters = JSON.stringify(raw)?.length ?? 0;
  if (characters <= limit) return { raw };
  const raw_cut = { characters, limit };
  if (!isObject(raw) || !('finalEvent' in raw)) return { raw: cutJson(raw, limit), raw_cut };
  const { events, finalEvent } = raw;
  const share = Math.floor(limit / 4);
  return {
    raw: { events: cutJson(events, limit - share), finalEvent: cutJson(finalEvent, share) },
    raw_cut,
  };
}
