import type { ProtocolVersion, TaskPushNotificationConfig } from '@holdword/protocol';
import type { TraceContext } from '../observe/trace-context.ts';

/** Where the notifications of one task go, and how far they have come. */
export interface PushTarget {
  taskId: string;
  configId: string;
  /** The owner of the task. */
  owner: string;
  url: string;
  token?: string;
  authentication?: { scheme: string; credentials?: string };
  /** The version of A2A that the one who set it up speaks. */
  version: ProtocolVersion;
  /** Of the call that set it up. */
  trace?: TraceContext;
  createdAt: number;
  /** The sequence number of the last event that has arrived. */
  delivered: number;
  /** While the event after it does not arrive. */
  failure?: DeliveryFailure;
  /** Given up; only a replay brings it back. */
  deadSince?: number;
  /** The task has ended and everything has arrived. */
  finishedAt?: number;
  /** The process that delivers now, where several share a store. */
  claim?: { holder: string; until: number };
}

export interface DeliveryFailure {
  /** Failed attempts in a row. */
  attempts: number;
  since: number;
  nextAttemptAt: number;
  /** What went wrong last, in words that hold no secret. */
  error: string;
}

export function targetKey({ taskId, configId }: Pick<PushTarget, 'taskId' | 'configId'>): string {
  return `${taskId}/${configId}`;
}

/** Names one event for one target, the same at every attempt. */
export function deliveryId({ taskId, configId }: PushTarget, sequence: number): string {
  return `${taskId}/${encodeURIComponent(configId)}/${sequence}`;
}

export function isActive({ deadSince, finishedAt }: PushTarget): boolean {
  return deadSince === undefined && finishedAt === undefined;
}

/** The same target as if nothing had gone wrong, and not finished: the next event is due now. */
export function withoutTrouble(target: PushTarget): PushTarget {
  const { failure: _failure, deadSince: _deadSince, finishedAt: _finishedAt, ...rest } = target;
  return rest;
}

/** What the target's owner may read of it: everything but its secrets. */
export function publicConfig(target: PushTarget): TaskPushNotificationConfig {
  const { taskId, configId, url, authentication } = target;
  return {
    taskId,
    id: configId,
    url,
    ...(authentication && { authentication: { scheme: authentication.scheme } }),
  };
}
