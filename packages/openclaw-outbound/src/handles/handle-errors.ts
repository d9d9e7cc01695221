import { RemoteAgentError } from '../results/remote-agent-error.ts';
import type { HandleEntry } from './handle-entry.ts';

export function unknownHandle(handle: string): RemoteAgentError {
  return new RemoteAgentError('UNKNOWN_TASK_HANDLE', `unknown task handle "${handle}"`, {
    taskHandle: handle,
    suggested_action: 'send',
    hint: 'Pass the persisted continuation or target_alias and task_id, or send the request again.',
  });
}

export function expiredHandle(
  { handle, expiresAt, taskId, contextId }: HandleEntry,
  { isDurable, continuation }: { isDurable: boolean; continuation: unknown },
): RemoteAgentError {
  return new RemoteAgentError('EXPIRED_TASK_HANDLE', `task handle "${handle}" has expired`, {
    taskHandle: handle,
    expiresAt: new Date(expiresAt).toISOString(),
    task_id: taskId,
    ...(contextId !== undefined && { context_id: contextId }),
    continuation,
    retryHint:
      'Retry with the same nested continuation so the plugin can fall back to the persisted target plus taskId, or resend the original request after a restart to obtain a new handle.',
    restartInvalidatesHandles: !isDurable,
    suggested_actions: ['status', 'send'],
    hint: 'Retry with the same nested continuation, or use flat target_alias + task_id only as manual compatibility.',
  });
}
