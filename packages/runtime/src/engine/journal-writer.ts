import type { TaskStatus } from '@holdword/protocol';
import {
  isStoreError,
  StoreError,
  type JournalAppend,
  type JournalEntry,
  type NewTask,
  type StatusChange,
  type Store,
} from '@holdword/store';
import { millisecondsOf } from '../iso-time.ts';
import { checkEventSize, DEFAULT_EVENT_BYTES } from '../limits/event-size.ts';
import type { Observer } from '../observe/observer.ts';
import type { CommitHealth } from './commit-health.ts';
import { encodeEvent, type JournalEvent } from './encode-event.ts';
import { statusOf } from './event-codec.ts';
import type { InternalPayload } from './task-fold.ts';

/** An event with everything its commit needs and its readers get. */
export interface WrittenEvent {
  sequence: number;
  event: JournalEvent;
  internal: InternalPayload | undefined;
  entry: JournalEntry;
}

export interface WriteOptions {
  internal?: InternalPayload;
  /** The turn ends with this event: the lease goes back in the same commit. */
  releaseLease?: boolean;
  idempotency?: JournalAppend['idempotency'];
}

/** A task that is not in the store yet: its first flush creates it. */
export interface TaskCreation {
  contextId: string;
  owner: string;
  holder: string;
  idempotency?: { key: string; payloadHash: string };
}

export interface JournalWriterOptions {
  store: Store;
  taskId: string;
  includeSequence: boolean;
  observer?: Observer | undefined;
  /** Is told of every commit that failed or succeeded. */
  commitHealth?: CommitHealth | undefined;
  /** The largest event an agent may write at once. */
  maxEventBytes?: number | undefined;
  /** Where the journal stands: a task in the store, or one to create. */
  start: { fence: number; lastSequence: number } | TaskCreation;
  onCommitted(events: readonly WrittenEvent[]): void;
  /** The journal was taken over or cannot be written: nothing more will be committed from here. */
  onLost(error: unknown): void;
}

/** A status that waits for its commit, with its JSON where that is known. */
interface PendingStatus {
  status: TaskStatus;
  json: string | undefined;
}

const ROOM_EVENTS = 512;
const ROOM_BYTES = 1024 * 1024;
const RETRY_LIMIT_MILLISECONDS = 30_000;
const FIRST_RETRY_MILLISECONDS = 50;
const LAST_RETRY_MILLISECONDS = 2_000;

/**
 * The one writer of a task's journal while this process holds its lease.
 *
 * Responsible for sequence numbers without holes (J2), for one append in flight at a time, so that everything written
 * meanwhile goes out together (J4), and for room: a turn that writes faster than the disk is made to wait.
 * Leaves durability, fences and grouping across tasks to the store (J1, J3), and the meaning of events to the caller.
 */
export class JournalWriter {
  readonly #options: JournalWriterOptions;
  #creation: TaskCreation | undefined;
  #fence: number;
  #lastSequence: number;
  #committedSequence: number;
  #pending: WrittenEvent[] = [];
  #pendingBytes = 0;
  #pendingStatus: PendingStatus | undefined;
  #pendingIdempotency: JournalAppend['idempotency'];
  #releaseLease = false;
  #leased: boolean;
  #scheduled = false;
  #inFlight = false;
  #flushing: Promise<void> | undefined;
  #failure: unknown;
  #refused: WrittenEvent[] = [];
  #refusedBytes = 0;
  #waiting: { sequence: number; resolve: () => void; reject: (error: unknown) => void }[] = [];

  constructor(options: JournalWriterOptions) {
    this.#options = options;
    const { start } = options;
    this.#leased = 'fence' in start;
    if ('fence' in start) {
      this.#fence = start.fence;
      this.#lastSequence = start.lastSequence;
    } else {
      this.#creation = start;
      this.#fence = 0;
      this.#lastSequence = 0;
    }
    this.#committedSequence = this.#lastSequence;
  }

  /** The last committed sequence number. */
  get committedSequence(): number {
    return this.#committedSequence;
  }

  /**
   * Somebody committed the event of this number. If it is none of this writer's, another process has the task: nothing
   * more would be taken from here, and whoever works on it had better know at once.
   */
  noticeCommit(sequence: number): void {
    if (sequence > this.#lastSequence)
      this.#fail(new StoreError('stale-fence', 'Another process took the task.'));
  }

  get holdsLease(): boolean {
    return this.#leased;
  }

  /** Gives the lease back when no commit did. */
  async releaseLease(): Promise<void> {
    if (!this.#leased) return;
    await this.#options.store.releaseLease(this.#options.taskId, this.#fence);
    this.#leased = false;
  }

  /**
   * Takes an event into the journal's order. It is committed soon, with its neighbours. Throws, and takes nothing, if the
   * event cannot be written as JSON or is too large.
   */
  write(event: JournalEvent, options: WriteOptions = {}): void {
    const sequence = this.#lastSequence + 1;
    const { json, statusJson } = encodeEvent(event, this.#options.includeSequence ? sequence : undefined);
    // What a caller sends has been measured as a request.
    if (!('task' in event)) checkEventSize(json, this.#options.maxEventBytes ?? DEFAULT_EVENT_BYTES);
    const entry: JournalEntry = { json };
    if (options.internal !== undefined) entry.internal = JSON.stringify(options.internal);
    this.#lastSequence = sequence;
    if (this.#failure !== undefined) return this.#refuse([{ sequence, event, internal: undefined, entry }]);
    const status = statusOf(event);
    if (status !== undefined) {
      entry.changesStatus = true;
      this.#pendingStatus = { status, json: statusJson };
    }
    if (options.releaseLease === true) this.#releaseLease = true;
    if (options.idempotency !== undefined) this.#pendingIdempotency = options.idempotency;
    this.#pending.push({ sequence, event, internal: options.internal, entry });
    this.#pendingBytes += json.length;
    this.#schedule();
  }

  /** More may be written at once, since the disk keeps up. */
  get hasRoom(): boolean {
    return (
      this.#failure === undefined && this.#pending.length < ROOM_EVENTS && this.#pendingBytes < ROOM_BYTES
    );
  }

  /** Resolves when there is room for more. */
  async room(): Promise<void> {
    if (!this.hasRoom) await this.flushed();
  }

  /** Resolves when everything written so far is on disk. */
  async flushed(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const sequence = this.#lastSequence;
    if (this.#committedSequence >= sequence) return;
    await new Promise<void>((resolve, reject) => this.#waiting.push({ sequence, resolve, reject }));
  }

  /**
   * What was written and not taken because another process had the task by then, as much as an event may hold. Resolves
   * when nothing is on its way any more.
   */
  async refusedEvents(): Promise<readonly JournalEvent[]> {
    await this.#flushing;
    return this.#refused
      .toSorted((first, second) => first.sequence - second.sequence)
      .map(({ event }) => event);
  }

  #schedule(): void {
    if (this.#scheduled || this.#inFlight || this.#failure !== undefined) return;
    this.#scheduled = true;
    // Once the promises of this tick have run: what a turn writes without waiting for anything else is one append, and it
    // is ready before the store sends its next group.
    process.nextTick(() => {
      this.#scheduled = false;
      if (this.#failure === undefined) this.#flushing = this.#flush();
    });
  }

  async #flush(): Promise<void> {
    const events = this.#pending;
    const commit = this.#nextCommit(events);
    this.#pending = [];
    this.#pendingBytes = 0;
    this.#pendingStatus = undefined;
    this.#pendingIdempotency = undefined;
    this.#releaseLease = false;
    this.#inFlight = true;
    const { observer, commitHealth } = this.#options;
    const startedAt = performance.now();
    try {
      try {
        await commit();
      } catch (error) {
        await this.#retry(commit, error);
      }
      commitHealth?.succeeded();
      observer?.committed?.(events.length, performance.now() - startedAt);
      this.#committedSequence = (events.at(-1) as WrittenEvent).sequence;
      this.#options.onCommitted(events);
    } catch (error) {
      this.#fail(error);
      this.#refuse(events);
      return;
    }
    this.#inFlight = false;
    this.#resolveWaiting();
    if (this.#pending.length > 0) this.#flushing = this.#flush();
  }

  /** A store that is briefly unavailable, for example on a full disk, wrote nothing: the same commit is tried again. */
  async #retry(commit: () => Promise<void>, failure: unknown): Promise<void> {
    const { taskId, observer, commitHealth } = this.#options;
    const deadline = Date.now() + RETRY_LIMIT_MILLISECONDS;
    let error = failure;
    let failures = 1;
    for (let pause = FIRST_RETRY_MILLISECONDS; ; pause = Math.min(pause * 2, LAST_RETRY_MILLISECONDS)) {
      const isFinal = !isStoreError(error) || error.code !== 'unavailable' || Date.now() + pause > deadline;
      if (isStoreError(error)) observer?.commitFailed?.();
      commitHealth?.failed(taskId, error, failures, isFinal);
      if (isFinal) throw error;
      await new Promise((resolve) => setTimeout(resolve, pause));
      try {
        return await commit();
      } catch (again) {
        error = again;
        failures += 1;
      }
    }
  }

  #nextCommit(events: WrittenEvent[]): () => Promise<void> {
    const { store, taskId } = this.#options;
    const entries = events.map((written) => written.entry);
    const creation = this.#creation;
    // Encoded once for a commit, however many statuses it brings: the last one counts.
    const status = this.#pendingStatus && statusChange(this.#pendingStatus);
    if (creation !== undefined) {
      const { contextId, owner, holder, idempotency } = creation;
      const task: NewTask = { taskId, contextId, owner, status: status as StatusChange, entries };
      if (idempotency !== undefined) task.idempotency = idempotency;
      const leased = !this.#releaseLease;
      if (leased) task.holder = holder;
      return async () => {
        const result = await store.createTask(task);
        if (!result.created)
          throw new IdempotencyKeyTaken(result.existing.taskId, result.existing.payloadHash);
        this.#creation = undefined;
        this.#fence = result.fence;
        this.#leased = leased;
      };
    }
    const append: JournalAppend = {
      taskId,
      fence: this.#fence,
      firstSequence: (events[0] as WrittenEvent).sequence,
      entries,
    };
    if (status !== undefined) append.status = status;
    if (this.#releaseLease) append.releaseLease = true;
    if (this.#pendingIdempotency !== undefined) append.idempotency = this.#pendingIdempotency;
    return async () => {
      await store.append(append);
      if (append.releaseLease === true) this.#leased = false;
    };
  }

  #resolveWaiting(): void {
    const ready = this.#waiting.filter((waiter) => waiter.sequence <= this.#committedSequence);
    if (ready.length === 0) return;
    this.#waiting = this.#waiting.filter((waiter) => waiter.sequence > this.#committedSequence);
    for (const waiter of ready) waiter.resolve();
  }

  /** Kept for a late answer, unless the store itself is in trouble: then nobody else has the task. */
  #refuse(events: readonly WrittenEvent[]): void {
    if (!isTakenOver(this.#failure)) return;
    const { maxEventBytes = DEFAULT_EVENT_BYTES } = this.#options;
    for (const written of events) {
      this.#refusedBytes += written.entry.json.length;
      if (this.#refusedBytes <= maxEventBytes) this.#refused.push(written);
    }
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#refuse(this.#pending);
    this.#pending = [];
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const waiter of waiting) waiter.reject(error);
    this.#options.onLost(error);
  }
}

/** The failure of a writer whose task another process has taken. */
export function isTakenOver(failure: unknown): boolean {
  return isStoreError(failure) && failure.code === 'stale-fence';
}

/** Another send with the same key came first; its task is the one to answer with. */
export class IdempotencyKeyTaken extends Error {
  readonly taskId: string;
  readonly payloadHash: string;

  constructor(taskId: string, payloadHash: string) {
    super('The idempotency key is taken.');
    this.taskId = taskId;
    this.payloadHash = payloadHash;
  }
}

function statusChange({ status, json = JSON.stringify(status) }: PendingStatus): StatusChange {
  const time = status.timestamp === undefined ? Date.now() : millisecondsOf(status.timestamp);
  return { state: status.state, time, json };
}
