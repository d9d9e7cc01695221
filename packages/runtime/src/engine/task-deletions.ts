import { isA2AError, isTerminal } from '@holdword/protocol';
import { isStoreError, type Store, type TaskHeader } from '@holdword/store';
import { type Log, OutageLog } from '../log.ts';
import type { Observer } from '../observe/observer.ts';
import { isActive, TargetRecords } from '../push/push-targets.ts';
import { endTask, type TaskEnd } from './end-task.ts';
import { removeTask, retentionOf, type RetentionOptions } from './retention.ts';

/*
 * An operator deletes a task with a command, which is another process than the one that runs the task. The command leaves a
 * request in the store, and a server does the work: its turn is aborted, its streams and push targets get the final event, and
 * its audit log says who did it. Without a server the command does it alone.
 */

const REQUESTS = 'task-deletions';
const PAGE = 100;
const LOOK_MILLISECONDS = 1_000;
/** Readers, receivers of push notifications and the agent have this long before the task is deleted under them. */
const GRACE_MILLISECONDS = 10_000;

/** How a task ends that has not ended when it is deleted. */
export const DELETED: TaskEnd = { state: 'TASK_STATE_CANCELED', text: 'The operator deleted the task.' };

interface DeletionRequest {
  /** The operator, as the audit log names it. */
  by: string;
}

export interface DeletionOptions {
  store: Store;
  log: Log;
  observer: Observer;
  /** Cancels a task that has not ended, wherever it runs. */
  cancel: (header: TaskHeader) => Promise<unknown>;
  /** Whether somebody in this process reads the task or works on it. */
  isInUse: (taskId: string) => boolean;
  alsoForget: RetentionOptions['alsoForget'];
}

/** Carries out the deletions that operators request, until it is stopped. */
export function startDeletions(options: DeletionOptions): { stop(): Promise<void> } {
  const { store, log } = options;
  if (store.retention === undefined) return { stop: async () => {} };
  const outage = new OutageLog(log, {
    beginning: 'Could not delete a task that an operator wants deleted. Retrying.',
    end: 'Tasks are deleted again.',
  });
  /** When this process saw that the task had ended. */
  const ended = new Map<string, number>();
  const look = async (): Promise<void> => {
    // A store that cannot be reached is reported with the heartbeat.
    const requests = await store.listRecords(REQUESTS, '', { limit: PAGE }).catch(() => []);
    for (const { key: taskId, value } of requests) {
      try {
        await carryOut(options, ended, taskId, JSON.parse(value) as DeletionRequest);
        outage.succeeded();
      } catch (error) {
        if (!mayPass(error)) outage.failed(error, { taskId });
      }
    }
    if (requests.length === 0) ended.clear();
  };
  let looking: Promise<void> | undefined;
  const timer = setInterval(() => {
    looking ??= look().finally(() => (looking = undefined));
  }, LOOK_MILLISECONDS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await looking;
    },
  };
}

/** The task has changed meanwhile, or the store cannot be reached. */
function mayPass(error: unknown): boolean {
  return isA2AError(error) || (isStoreError(error) && error.code !== 'corrupt');
}

/** One step: the end of the task, or its deletion once its end has reached those who follow it. */
async function carryOut(
  options: DeletionOptions,
  ended: Map<string, number>,
  taskId: string,
  { by }: DeletionRequest,
): Promise<void> {
  const { store, observer, log } = options;
  const header = await store.readTask(taskId);
  if (header !== undefined && !isTerminal(header.state)) {
    await options.cancel(header);
    return;
  }
  const now = performance.now();
  const endedAt = ended.get(taskId) ?? now;
  ended.set(taskId, endedAt);
  if (header !== undefined && (await isAwaited(options, taskId, now - endedAt))) return;
  if (header !== undefined && (await removeForgotten(options, taskId))) {
    observer.taskDeleted?.({ taskId, ownerKey: header.owner, by });
    log.info('Deleted a task for an operator.', { taskId, by });
  }
  await store.deleteRecord(REQUESTS, taskId);
  ended.delete(taskId);
}

async function isAwaited(
  { store, isInUse }: DeletionOptions,
  taskId: string,
  ageMilliseconds: number,
): Promise<boolean> {
  if (ageMilliseconds >= GRACE_MILLISECONDS) return false;
  // Another process may have ended it a moment ago, and the readers of a third one are on their way.
  if (isInUse(taskId) || (store.isShared && ageMilliseconds === 0)) return true;
  return (await new TargetRecords(store).list(taskId)).some(({ target }) => isActive(target));
}

/** What others keep about the task is removed if they agree. The task is removed in any case: the operator wants that. */
async function removeForgotten(
  { store, alsoForget }: Pick<DeletionOptions, 'store' | 'alsoForget'>,
  taskId: string,
): Promise<boolean> {
  await alsoForget?.(taskId);
  return removeTask({ store, retention: retentionOf(store) }, taskId);
}

const POLL_MILLISECONDS = 100;
/** A server looks every second. */
const SERVER_PATIENCE_MILLISECONDS = 5_000;
const WORK_PATIENCE_MILLISECONDS = 3 * GRACE_MILLISECONDS;

/**
 * Asks the servers that use the store to delete a task. Resolves to true when it is deleted, and to false if no server does it:
 * then nobody will.
 */
export async function requestDeletion(store: Store, taskId: string, by: string): Promise<boolean> {
  const request: DeletionRequest = { by };
  const before = await store.readTask(taskId);
  await store.putRecord(REQUESTS, taskId, JSON.stringify(request));
  const startedAt = performance.now();
  for (;;) {
    const header = await store.readTask(taskId);
    if (header === undefined) return true;
    const patience =
      header.state === before?.state ? SERVER_PATIENCE_MILLISECONDS : WORK_PATIENCE_MILLISECONDS;
    if (performance.now() - startedAt > patience) break;
    await new Promise((resolve) => setTimeout(resolve, POLL_MILLISECONDS));
  }
  await store.deleteRecord(REQUESTS, taskId);
  return false;
}

/** A server may change the task at the same time. */
const MOST_ATTEMPTS = 5;

/**
 * Deletes a task in this process, even if another one runs it. Its events are not read, so it does not matter whether they are
 * readable. Resolves to false if the task keeps changing.
 */
export async function deleteTaskHere(
  { store, observer, holder }: { store: Store; observer: Observer; holder: string },
  taskId: string,
  by: string,
): Promise<boolean> {
  const ending = { store, observer, holder, includeSequence: true, force: true };
  for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt += 1) {
    const header = await store.readTask(taskId);
    if (header === undefined) return true;
    const hasEnded = isTerminal(header.state) || (await endTask(ending, header, DELETED));
    if (hasEnded && (await removeTask({ store, retention: retentionOf(store) }, taskId))) {
      observer.taskDeleted?.({ taskId, ownerKey: header.owner, by });
      return true;
    }
  }
  return false;
}
