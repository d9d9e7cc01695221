import type { JsonObject, TaskState } from '@holdword/protocol';
import type { Store, TaskHeader } from '@holdword/store';
import { isoTime, newId } from '../ids-and-times.ts';
import type { Observer } from '../observe/observer.ts';
import type { InternalPayload } from './event-codec.ts';
import { JournalWriter } from './journal-writer.ts';
import { heldElsewhere } from './turn-errors.ts';

export interface TaskEnd {
  state: Extract<TaskState, 'TASK_STATE_FAILED' | 'TASK_STATE_CANCELED'>;
  /** What its readers are told. */
  text: string;
  metadata?: JsonObject | undefined;
  /** The process that ran the task is gone, and this one ends it. */
  isTakeover?: boolean | undefined;
}

export interface TaskEnding {
  store: Store;
  /** This process, as the store identifies it. */
  holder: string;
  observer?: Observer | undefined;
  includeSequence: boolean;
  /** Even if another process runs the task: its writes are rejected from then on. */
  force?: boolean | undefined;
}

/**
 * Ends a task that has not ended, from its header alone: none of its events is read, so it does not matter how many there are
 * and whether they are readable. Its readers see the end like any other. Returns false if the task has changed since the header
 * was read.
 */
export async function endTask(ending: TaskEnding, header: TaskHeader, end: TaskEnd): Promise<boolean> {
  const { store, holder, observer, includeSequence, force } = ending;
  const { taskId, contextId, owner: ownerKey } = header;
  const { state, text, metadata, isTakeover = false } = end;
  const fence = await store.acquireLease(taskId, holder, { force: force === true });
  if (fence === undefined) throw heldElsewhere();
  try {
    const current = await store.readTask(taskId);
    if (current?.state !== header.state) {
      await store.releaseLease(taskId, fence);
      return false;
    }
    const start = { fence, lastSequence: current.lastSequence };
    const writer = new JournalWriter({ store, taskId, includeSequence, observer, start, ...NO_LISTENERS });
    const message = { messageId: newId(), contextId, taskId, role: 'ROLE_AGENT', parts: [{ text }] } as const;
    const status = { state, timestamp: isoTime(), message: { ...message, parts: [...message.parts] } };
    const statusUpdate = { taskId, contextId, status, ...(metadata !== undefined && { metadata }) };
    const internal: InternalPayload = { takeover: { process: holder, how: 'interrupted' } };
    writer.write({ statusUpdate }, { releaseLease: true, ...(isTakeover && { internal }) });
    await writer.flushed();
    observer?.stateChanged?.({ taskId, ownerKey, state, from: header.state });
    return true;
  } catch (error) {
    // The reason is what the caller needs; the lease expires with this process at the latest.
    await store.releaseLease(taskId, fence).catch(() => {});
    throw error;
  }
}

const NO_LISTENERS = { onCommitted: () => {}, onLost: () => {} };
