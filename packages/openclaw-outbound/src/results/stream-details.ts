import type { TimeLimit } from '@holdword/client/internal';
import type { JsonObject, V03Event } from '@holdword/protocol';
import type { EventLog } from '../calls/event-log.ts';
import { callError } from './call-error.ts';
import { RemoteAgentError } from './remote-agent-error.ts';

/** The error of a call that followed events, with its progress. */
export function withStreamDetails(error: unknown, log: EventLog, limit: TimeLimit): unknown {
  const known = callError(error, limit);
  if (!(known instanceof RemoteAgentError)) return known;
  const { latest } = log;
  return known.with({
    partial_event_count: log.count,
    ...(latest && { latest_event_summary: summaryOf(latest) }),
  });
}

function summaryOf(event: V03Event): JsonObject {
  const state = 'status' in event ? { status: event.status.state } : {};
  const taskId = event.kind === 'task' ? event.id : event.taskId;
  return { kind: event.kind, ...(taskId !== undefined && { task_id: taskId }), ...state };
}
