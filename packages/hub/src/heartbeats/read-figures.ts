import type { JsonObject } from '@holdword/protocol';
import { HubError } from '../errors/hub-error.ts';
import type { Figures } from './heartbeat-series.ts';

/** The figures of a heartbeat by their names on the wire. */
export const FIGURE_FIELDS = {
  errors: 'errors_last_hour',
  p95: 'latency_ms_p95',
  queue: 'queue_depth',
} as const satisfies Readonly<Record<keyof Figures, string>>;

const HIGHEST = 1_000_000_000;

/** Reads the figures that a request has; those that are absent are null. */
export function readFigures(params: JsonObject): Figures {
  return {
    errors: readFigure(params, FIGURE_FIELDS.errors),
    p95: readFigure(params, FIGURE_FIELDS.p95),
    queue: readFigure(params, FIGURE_FIELDS.queue),
  };
}

function readFigure(params: JsonObject, field: string): number | null {
  const value = params[field];
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && value >= 0 && value <= HIGHEST) return value;
  throw new HubError(
    'DELX-A2A-1004',
    `Expected ${field} to be a number from 0 to ${HIGHEST}, found another value.`,
    {
      hint: `Send ${field} as a number, or leave it out.`,
      details: { field },
    },
  );
}
