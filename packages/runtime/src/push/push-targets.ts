import type { ProtocolVersion, TaskPushNotificationConfig } from '@holdword/protocol';
import type { RecordPage, Store } from '@holdword/store';
import type { TraceContext } from '../observe/tracing.ts';
import { identityOf, ownerFromKey } from '../owner.ts';

/** Where the push notifications of one task go, and their progress. */
export interface PushTarget {
  taskId: string;
  configId: string;
  /** The owner of the task. */
  owner: string;
  /** Who the limits per caller apply to, if that is not the caller in the owner. */
  identity?: string;
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
  /** How long it has been failing, measured while servers ran: the clock may have been set meanwhile. */
  failingMilliseconds: number;
  nextAttemptAt: number;
  /** How long the pause before the next attempt is. */
  pauseMilliseconds: number;
  /** What went wrong last, in words without secrets. */
  error: string;
}

export function targetKey({ taskId, configId }: Pick<PushTarget, 'taskId' | 'configId'>): string {
  return `${taskId}/${configId}`;
}

/** Who the limits per caller apply to. Undefined for anonymous callers. */
export function callerOf({ owner, identity }: Pick<PushTarget, 'owner' | 'identity'>): string | undefined {
  return identityOf({ ...ownerFromKey(owner), identity });
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

const TARGETS = 'push-targets';
const SIGNALS = 'push-signals';
const REPLAY = 'replay';

/** A target as it was read, with the text that shows later whether it has changed since. */
export interface StoredTarget {
  target: PushTarget;
  value: string;
}

type TargetName = Pick<PushTarget, 'taskId' | 'configId'>;

/** Push targets in the store's records. Every change is compared with the text that was read, so that none is lost. */
export class TargetRecords {
  readonly #store: Store;

  constructor(store: Store) {
    this.#store = store;
  }

  async find(name: TargetName): Promise<StoredTarget | undefined> {
    const value = await this.#store.getRecord(TARGETS, targetKey(name));
    return value === undefined ? undefined : decode(value);
  }

  /** Those of one task, or all, sorted by key. */
  async list(taskId?: string, page?: RecordPage): Promise<StoredTarget[]> {
    const prefix = taskId === undefined ? undefined : `${taskId}/`;
    return (await this.#store.listRecords(TARGETS, prefix, page)).map(({ value }) => decode(value));
  }

  /** Writes the target if it is unchanged since it was read; `undefined` means that it did not exist. */
  async replace(expected: StoredTarget | undefined, target: PushTarget): Promise<StoredTarget | undefined> {
    const value = JSON.stringify(target);
    const done = await this.#store.replaceRecord(TARGETS, targetKey(target), expected?.value, value);
    return done ? { target, value } : undefined;
  }

  async remove(name: TargetName): Promise<void> {
    await this.#store.deleteRecord(TARGETS, targetKey(name));
  }

  /** Tells running servers, including other processes, that targets have changed. */
  async announceChange(): Promise<void> {
    await this.#store.putRecord(SIGNALS, REPLAY, crypto.randomUUID());
  }

  /** Differs after each announcement. */
  async lastAnnouncement(): Promise<string | undefined> {
    return this.#store.getRecord(SIGNALS, REPLAY);
  }
}

function decode(value: string): StoredTarget {
  return { target: JSON.parse(value) as PushTarget, value };
}

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

/** The targets of one task, or all of them, sorted by key; `after` is the last one of the previous page. */
export async function listPushTargets(
  store: Store,
  choice: { taskId?: string; after?: Pick<PushTarget, 'taskId' | 'configId'>; limit?: number } = {},
): Promise<PushTargetSummary[]> {
  const { taskId, after, limit } = choice;
  const page = { ...(after && { after: targetKey(after) }), ...(limit !== undefined && { limit }) };
  return (await new TargetRecords(store).list(taskId, page)).map(({ target }) => summarise(target));
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

export interface ReplayChoice {
  /** Only targets of this task. By default, those of all tasks. */
  taskId?: string;
  configId?: string;
  /** Sends again from this sequence number on, even what was delivered. By default, only what was abandoned. */
  from?: number;
}

/** Retries abandoned targets. A running server notices within a second. Returns the targets that were changed. */
export async function replayTargets(store: Store, choice: ReplayChoice): Promise<PushTarget[]> {
  const records = new TargetRecords(store);
  const replayed: PushTarget[] = [];
  for (const stored of await records.list(choice.taskId)) {
    const { target } = stored;
    if (choice.configId !== undefined && choice.configId !== target.configId) continue;
    if (choice.from === undefined && target.deadSince === undefined) continue;
    const delivered = Math.min(target.delivered, (choice.from ?? Infinity) - 1);
    const revived = { ...withoutTrouble(target), delivered };
    if ((await records.replace(stored, revived)) !== undefined) replayed.push(revived);
  }
  if (replayed.length > 0) await records.announceChange();
  return replayed;
}
