import type { JsonObject } from '@holdword/protocol';
import type { HeartbeatMetrics } from './heartbeat-series.ts';
import { METRIC_FIELDS } from './read-metrics.ts';

/**
 * The tool calls that accompany a heartbeat, as a request that a client can send to the MCP endpoint unchanged. If the
 * session is not known yet, `$SESSION_ID` stands for it.
 */
export function mcpBundle(sessionId: string, metrics: HeartbeatMetrics, endpoint: string): JsonObject {
  const calls = [
    { name: 'daily_checkin', arguments: { session_id: sessionId } },
    { name: 'monitor_heartbeat_sync', arguments: { session_id: sessionId, ...metricFields(metrics) } },
  ];
  return {
    description: `Send mcp_batch_request to ${endpoint} with the same identity headers. It checks in and reports the metrics.`,
    mcp_batch_hint: { sequence: calls.map(({ name }) => name) },
    mcp_batch_request: { jsonrpc: '2.0', id: 'heartbeat', method: 'tools/batch', params: { calls } },
  };
}

/** The reported metrics, by their JSON names. */
export function metricFields(metrics: HeartbeatMetrics): JsonObject {
  return Object.fromEntries(
    (['errors', 'p95', 'queue'] as const)
      .filter((name) => metrics[name] !== null)
      .map((name) => [METRIC_FIELDS[name], metrics[name]]),
  );
}
