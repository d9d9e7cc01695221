import { z } from 'zod';
import type { HubTool } from '../hub-tool.ts';
import { metric, sessionId } from './input-fields.ts';

export const monitorHeartbeatSync: HubTool = {
  name: 'monitor_heartbeat_sync',
  title: 'Heartbeat',
  description:
    'Report the figures of your last hour. They are kept as a series, and the cadence is recommended from them.',
  inputSchema: z.object({
    errors_last_hour: metric.optional().describe('Errors in the last hour.'),
    latency_ms_p95: metric.optional().describe('95th percentile of your latency, in milliseconds.'),
    queue_depth: metric.optional().describe('What waits for you.'),
    session_id: sessionId,
  }),
  readOnly: false,
  run: (input, hub) => hub.method('heartbeat/bundle', { ...input, minimal_response: true }),
};
