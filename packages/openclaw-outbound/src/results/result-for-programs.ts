import type { JsonObject } from '@holdword/protocol';
import { isObject } from '@holdword/protocol/internal';
import { publicError } from '../remote-agent-error.ts';
import { cutJson } from './foreign-text.ts';
import type { Outcome } from './outcome.ts';

/** The result for programs: `details` of the tool result. */
export type Envelope = Success | Failure;

interface Success {
  readonly ok: true;
  readonly operation: 'remote_agent';
  readonly action: string;
  readonly summary: JsonObject;
  readonly raw: unknown;
  /** The original length of `raw`; present if it was cut. */
  readonly raw_cut?: { readonly characters: number; readonly limit: number };
}

interface Failure {
  readonly ok: false;
  readonly operation: 'remote_agent';
  readonly action: string;
  readonly error: ReturnType<typeof publicError>;
}

export function failure(action: string, error: unknown): Failure {
  return { ok: false, operation: 'remote_agent', action, error: publicError(error) };
}

/** `raw` is cut to the limit if needed. */
export function success(
  action: string,
  { summary, raw }: Pick<Outcome, 'summary' | 'raw'>,
  rawLimit: number,
): Success {
  return { ok: true, operation: 'remote_agent', action, summary, ...cutRaw(raw, rawLimit) };
}

/** Part of the limit is reserved for the last event of a stream. */
function cutRaw(raw: unknown, limit: number): Pick<Success, 'raw' | 'raw_cut'> {
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
