import { z } from 'zod';
import type { HubTool } from '../hub-tool.ts';
import { metric, sessionId } from './input-fields.ts';

export const monitorHeartbeatSync: HubTool = {
  name: 'monitor_heartbeat_sync',
  title: 'Heartbeat',
  description:
    'Report your metrics for the last hour. They are stored as a series and determine the recommended heartbeat interval.',
  inputSchema: z.object({
    errors_last_hour: metric.optional().describe('Errors in the last hour.'),
    latency_ms_p95: metric.optional().describe('95th percentile of your latency in milliseconds.'),
    queue_depth: metric.optional().describe('Number of items waiting in your queue.'),
    session_id: sessionId,
  }),
  readOnly: false,
  run: (input, hub) => hub.method('heartbeat/bundle', { ...input, minimal_response: true }),
};
