import type { JsonObject } from '@holdword/protocol';
import { invalidParameter } from '../wire/hub-error.ts';
import type { HeartbeatMetrics } from './heartbeat-series.ts';

/** JSON names of the heartbeat metrics. */
export const METRIC_FIELDS = {
  errors: 'errors_last_hour',
  p95: 'latency_ms_p95',
  queue: 'queue_depth',
} as const satisfies Readonly<Record<keyof HeartbeatMetrics, string>>;

const MAX_METRIC = 1_000_000_000;

/** Reads the metrics in a request; missing ones are null. */
export function readMetrics(params: JsonObject): HeartbeatMetrics {
  return {
    errors: readMetric(params, METRIC_FIELDS.errors),
    p95: readMetric(params, METRIC_FIELDS.p95),
    queue: readMetric(params, METRIC_FIELDS.queue),
  };
}

function readMetric(params: JsonObject, field: string): number | null {
  const value = params[field];
  if (value === undefined || value === null) return null;
  if (typeof value === 'number' && value >= 0 && value <= MAX_METRIC) return value;
  const hint = `Send ${field} as a number, or omit it.`;
  throw invalidParameter(field, `a number from 0 to ${MAX_METRIC}`, value, hint);
}
