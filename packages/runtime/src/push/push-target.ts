import type { ProtocolVersion, TaskPushNotificationConfig } from '@holdword/protocol';
import type { TraceContext } from '../observe/trace-context.ts';

/** Where the push notifications of one task go, and their progress. */
export interface PushTarget {
  taskId: string;
  configId: string;
  /** The owner of the task. */
  owner: string;
  url: string;
  token?: string;
  authentication?: { scheme: string; credentials?: string };
  /** The version of A2A that the client who configured it uses. */
  version: ProtocolVersion;
  /** Of the request that configured it. */
  trace?: TraceContext;
  createdAt: number;
  /** The sequence number of the last delivered event. */
  delivered: number;
  /** Set while the next event cannot be delivered. */
  failure?: DeliveryFailure;
  /** Abandoned; only a replay continues it. */
  deadSince?: number;
  /** The task has ended and everything was delivered. */
  finishedAt?: number;
  /** The process that delivers at the moment, if several share a store. */
  claim?: { holder: string; until: number };
}

export interface DeliveryFailure {
  /** Failed attempts in a row. */
  attempts: number;
  since: number;
  nextAttemptAt: number;
  /** What went wrong last, in words without secrets. */
  error: string;
}

export function targetKey({ taskId, configId }: Pick<PushTarget, 'taskId' | 'configId'>): string {
  return `${taskId}/${configId}`;
}

/** Identifies one event for one target, the same at every attempt. */
export function deliveryId({ taskId, configId }: PushTarget, sequence: number): string {
  return `${taskId}/${encodeURIComponent(configId)}/${sequence}`;
}

export function isActive({ deadSince, finishedAt }: PushTarget): boolean {
  return deadSince === undefined && finishedAt === undefined;
}

/** The same target without failures, and not finished: the next event is due now. */
export function withoutTrouble(target: PushTarget): PushTarget {
  const { failure: _failure, deadSince: _deadSince, finishedAt: _finishedAt, ...rest } = target;
  return rest;
}

/** What the target's owner may read: everything except its secrets. */
export function publicConfig(target: PushTarget): TaskPushNotificationConfig {
  const { taskId, configId, url, authentication } = target;
  return {
    taskId,
    id: configId,
    url,
    ...(authentication && { authentication: { scheme: authentication.scheme } }),
  };
}
