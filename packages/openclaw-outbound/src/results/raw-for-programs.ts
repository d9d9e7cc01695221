import { isObject } from '@holdword/protocol/internal';
import { cutJson } from './cut-json.ts';
import type { Success } from './envelope.ts';

/** `raw`, cut to the limit if needed. Part of the limit is reserved for the last event of a stream. */
export function rawForPrograms(raw: unknown, limit: number): Pick<Success, 'raw' | 'raw_cut'> {
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
