import type { Store } from '@holdword/store';
import type { PushTarget } from './push-target.ts';
import { TargetRecords } from './target-records.ts';

export type PushTargetState = 'active' | 'failing' | 'dead' | 'finished';

/**
 * The progress of a target, for its operator: without secrets, and without the query of its URL, which may contain
 * some.
 */
export interface PushTargetSummary {
  taskId: string;
  configId: string;
  url: string;
  state: PushTargetState;
  /** The sequence number of the last delivered event. */
  delivered: number;
  /** Failed attempts in a row. */
  attempts: number;
  error?: string;
  nextAttemptAt?: number;
  deadSince?: number;
}

export async function listPushTargets(store: Store): Promise<PushTargetSummary[]> {
  return (await new TargetRecords(store).list()).map(({ target }) => summarise(target));
}

function summarise(target: PushTarget): PushTargetSummary {
  const { taskId, configId, delivered, failure, deadSince } = target;
  const { origin, pathname } = new URL(target.url);
  const state = stateOf(target);
  return {
    taskId,
    configId,
    url: `${origin}${pathname}`,
    state,
    delivered,
    attempts: failure?.attempts ?? 0,
    ...(failure && { error: failure.error }),
    ...(failure && state === 'failing' && { nextAttemptAt: failure.nextAttemptAt }),
    ...(deadSince !== undefined && { deadSince }),
  };
}

function stateOf({ deadSince, finishedAt, failure }: PushTarget): PushTargetState {
  if (deadSince !== undefined) return 'dead';
  if (finishedAt !== undefined) return 'finished';
  return failure === undefined ? 'active' : 'failing';
}
