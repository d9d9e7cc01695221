import type { PushTargetSummary } from '@holdword/runtime/internal';
import type { PushTarget } from '../api/task.ts';

/** A target of push notifications, without its secrets, which the summary does not have. */
export function pushTargetView(summary: PushTargetSummary): PushTarget {
  const { taskId, configId, url, state, delivered, attempts, error, nextAttemptAt, deadSince } = summary;
  return {
    taskId,
    configId,
    url,
    state,
    delivered,
    attempts,
    error: error ?? null,
    nextAttemptAt: nextAttemptAt === undefined ? null : new Date(nextAttemptAt).toISOString(),
    deadSince: deadSince === undefined ? null : new Date(deadSince).toISOString(),
  };
}
