import { isTerminal, type TaskStatus } from '@holdword/protocol';
import { backoffDelay, pause } from '@holdword/protocol/internal';
import {
  isStoreError,
  StoreError,
  type JournalAppend,
  type JournalEntry,
  type NewTask,
  type StatusChange,
  type Store,
} from '@holdword/store';
import { DEFAULT_RUNTIME_OPTIONS } from '../defaults.ts';
import { millisecondsOf } from '../ids-and-times.ts';
import type { Observer } from '../observe/observer.ts';
import type { CommitHealth } from './store-health.ts';
import {
  checkEventSize,
  encodeEvent,
  statusOf,
  TaskTooLarge,
  type InternalPayload,
  type JournalEvent,
} from './event-codec.ts';
import { IdempotencyKeyTaken, TooMuchUnwritten } from './turn-errors.ts';

/** An event with everything that its commit and its readers need. */
export interface WrittenEvent {
  sequence: number;
  event: JournalEvent;
  internal: InternalPayload | undefined;
  entry: JournalEntry;
}

export interface WriteOptions {
  internal?: InternalPayload | undefined;
  /** The turn ends with this event: the lease is released in the same commit. */
  releaseLease?: boolean | undefined;
  idempotency?: JournalAppend['idempotency'];
}

/** A task that is not in the store yet: the first flush creates it. */
export interface TaskCreation {
  contextId: string;
  owner: string;
  holder: string;
  idempotency?: { key: string; payloadHash: string } | undefined;
}

export interface JournalWriterOptions {
  store: Store;
  taskId: string;
  includeSequence: boolean;
  observer?: Observer | undefined;
  /** Is told of every commit that failed or succeeded. */
  commitHealth?: CommitHealth | undefined;
  /** The maximum size of one event of an agent. */
  maxEventBytes?: number | undefined;
  /** The maximum size of all events. */
  maxTaskBytes?: number | undefined;
  /** The state of the journal: a task in the store, with the size of its events, or a task to create. */
  start: { fence: number; lastSequence: number; characters?: number } | TaskCreation;
  onCommitted(events: readonly WrittenEvent[]): void;
  /** The journal was taken over or cannot be written: nothing more will be committed from here. */
  onLost(error: unknown): void;
}

/** A status that waits for its commit, with its JSON if that is known. */
interface PendingStatus {
  status: TaskStatus;
  json: string | undefined;
}

/** The statuses of the engine, which are short, may exceed the size limit of a task by this much, so that it can say how it ends. */
const SPARE_CHARACTERS = 1024 * 1024;
const SHORT_STATUS_CHARACTERS = 4 * 1024;
/** What an agent may write without waiting. Memory is bounded by it: who does not wait cannot be slowed down. */
const MOST_UNWRITTEN_BYTES = 64 * 1024 * 1024;
/** What an event takes in memory besides its JSON. */
const EVENT_OVERHEAD_BYTES = 512;
const ROOM_EVENTS = 512;
const ROOM_BYTES = 1024 * 1024;
const RETRY_LIMIT_MILLISECONDS = 30_000;
/** Nothing is lost if a message is not accepted, and its sender should not wait for somebody to free disk space. */
const FULL_DISK_PATIENCE_MILLISECONDS = 1_000;
const RETRY_BACKOFF = { firstMilliseconds: 50, longestMilliseconds: 2_000 };

/**
 * The only writer of a task's journal while this process holds its lease.
 *
 * Responsible for sequence numbers without gaps (J2), for one append in flight at a time, so that everything written
 * meanwhile is appended together (J4), and for backpressure: a turn that writes faster than the disk has to wait.
 * Leaves durability, fences and grouping across tasks to the store (J1, J3), and the meaning of events to the caller.
 */
export class JournalWriter {
  readonly #options: JournalWriterOptions;
  #creation: TaskCreation | undefined;
  #fence: number;
  #lastSequence: number;
  #committedSequence: number;
  /** The size of the journal. Counted in characters: the bytes of every event would have to be measured. */
  #characters = 0;
  #pending: WrittenEvent[] = [];
  #pendingBytes = 0;
  #inFlightBytes = 0;
  #room: Promise<void> | undefined;
  #pendingStatus: PendingStatus | undefined;
  #pendingIdempotency: JournalAppend['idempotency'];
  #releaseLease = false;
  /** What is pending includes a message that nobody has worked on. */
  #acceptsMessage = false;
  #leased: boolean;
  #scheduled = false;
  #inFlight = false;
  #flushing: Promise<void> | undefined;
  #failure: unknown;
  #rejected: WrittenEvent[] = [];
  #rejectedBytes = 0;
  #waiting: { sequence: number; resolve: () => void; reject: (error: unknown) => void }[] = [];

  constructor(options: JournalWriterOptions) {
    this.#options = options;
    const { start } = options;
    this.#leased = 'fence' in start;
    if ('fence' in start) {
      this.#fence = start.fence;
      this.#lastSequence = start.lastSequence;
      this.#characters = start.characters ?? 0;
    } else {
      this.#creation = start;
      this.#fence = 0;
      this.#lastSequence = 0;
    }
    this.#committedSequence = this.#lastSequence;
  }

  /** The last written sequence number, committed or not. */
  get lastSequence(): number {
    return this.#lastSequence;
  }

  get committedSequence(): number {
    return this.#committedSequence;
  }

  /**
   * An event with this sequence number was committed. If this writer did not write it, another process has the task:
   * the store would reject further writes, and the turn should stop as soon as possible.
   */
  noticeCommit(sequence: number): void {
    if (sequence > this.#lastSequence)
      this.#fail(new StoreError('stale-fence', 'Another process took over the task.'));
  }

  get holdsLease(): boolean {
    return this.#leased;
  }

  /** Releases the lease if no commit did. */
  async releaseLease(): Promise<void> {
    if (!this.#leased) return;
    await this.#options.store.releaseLease(this.#options.taskId, this.#fence);
    this.#leased = false;
  }

  /**
   * Adds an event to the journal. It is committed soon, together with its neighbors. Throws, and adds nothing, if the
   * event cannot be encoded as JSON or is too large, or if the task would be, unless the event ends it.
   */
  write(event: JournalEvent, options: WriteOptions = {}): void {
    const sequence = this.#lastSequence + 1;
    const { json, statusJson } = encodeEvent(event, this.#options.includeSequence ? sequence : undefined);
    // The size of a caller's message was checked with its request.
    if (!('task' in event))
      checkEventSize(json, this.#options.maxEventBytes ?? DEFAULT_RUNTIME_OPTIONS.maxEventBytes);
    if (this.#unwrittenBytes > this.#mostUnwrittenBytes && options.releaseLease !== true)
      throw new TooMuchUnwritten(this.#mostUnwrittenBytes);
    const entry: JournalEntry = { json };
    if (options.internal !== undefined) entry.internal = JSON.stringify(options.internal);
    const status = statusOf(event);
    this.#grow(json.length + (entry.internal?.length ?? 0), event, status);
    this.#lastSequence = sequence;
    if (this.#failure !== undefined)
      return this.#keepRejected([{ sequence, event, internal: undefined, entry }]);
    if (status !== undefined) {
      entry.changesStatus = true;
      this.#pendingStatus = { status, json: statusJson };
    }
    if (options.releaseLease === true) this.#releaseLease = true;
    if ('task' in event || options.internal?.input !== undefined) this.#acceptsMessage = true;
    if (options.idempotency !== undefined) this.#pendingIdempotency = options.idempotency;
    this.#pending.push({ sequence, event, internal: options.internal, entry });
    this.#pendingBytes += json.length;
    this.#schedule();
  }

  /** Counts an event of this size, or throws if the task would be too large. */
  #grow(characters: number, event: JournalEvent, status: TaskStatus | undefined): void {
    const { maxTaskBytes = DEFAULT_RUNTIME_OPTIONS.maxTaskBytes } = this.#options;
    const grown = this.#characters + characters;
    // The size of the first message was checked with its request.
    if (grown > maxTaskBytes && !('task' in event)) {
      const isShort = status !== undefined && characters <= SHORT_STATUS_CHARACTERS;
      const mayPass =
        (status !== undefined && isTerminal(status.state)) ||
        (isShort && grown <= maxTaskBytes + SPARE_CHARACTERS);
      if (!mayPass) throw new TaskTooLarge(maxTaskBytes);
    }
    this.#characters = grown;
  }

  /** More can be written without waiting: the disk keeps up. */
  get hasRoom(): boolean {
    return (
      this.#failure === undefined && this.#pending.length < ROOM_EVENTS && this.#pendingBytes < ROOM_BYTES
    );
  }

  /** Resolves when more can be written. All that wait at a time share one promise: an agent may not await any of them. */
  room(): Promise<void> {
    if (this.hasRoom) return Promise.resolve();
    this.#room ??= this.flushed().finally(() => (this.#room = undefined));
    return this.#room;
  }

  get #unwrittenBytes(): number {
    return this.#inFlightBytes + this.#pendingBytes + this.#pending.length * EVENT_OVERHEAD_BYTES;
  }

  get #mostUnwrittenBytes(): number {
    const { maxEventBytes = DEFAULT_RUNTIME_OPTIONS.maxEventBytes } = this.#options;
    return Math.max(MOST_UNWRITTEN_BYTES, 4 * maxEventBytes);
  }

  /** Resolves when everything written so far is on disk. */
  async flushed(): Promise<void> {
    if (this.#failure !== undefined) throw this.#failure;
    const sequence = this.#lastSequence;
    if (this.#committedSequence >= sequence) return;
    await new Promise<void>((resolve, reject) => this.#waiting.push({ sequence, resolve, reject }));
  }

  /**
   * The events that the store rejected because another process had the task by then, up to the size limit of one event.
   * Resolves when no commit is in flight any more.
   */
  async rejectedEvents(): Promise<readonly JournalEvent[]> {
    await this.#flushing;
    return this.#rejected
      .toSorted((first, second) => first.sequence - second.sequence)
      .map(({ event }) => event);
  }

  #schedule(): void {
    if (this.#scheduled || this.#inFlight || this.#failure !== undefined) return;
    this.#scheduled = true;
    // After the promises of this tick have run, everything that a turn writes without waiting is one append, and it is
    // ready before the store starts its next group.
    process.nextTick(() => {
      this.#scheduled = false;
      if (this.#failure === undefined) this.#flushing = this.#flush();
    });
  }

  async #flush(): Promise<void> {
    const events = this.#pending;
    const commit = this.#nextCommit(events);
    const acceptsMessage = this.#acceptsMessage;
    this.#acceptsMessage = false;
    this.#inFlightBytes = this.#unwrittenBytes;
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
        await this.#retry(commit, error, acceptsMessage);
      }
      commitHealth?.succeeded();
      observer?.committed?.(events.length, performance.now() - startedAt);
      this.#committedSequence = (events.at(-1) as WrittenEvent).sequence;
      this.#options.onCommitted(events);
    } catch (error) {
      this.#fail(error);
      this.#keepRejected(events);
      return;
    }
    this.#inFlight = false;
    this.#inFlightBytes = 0;
    this.#resolveWaiting();
    if (this.#pending.length > 0) this.#flushing = this.#flush();
  }

  /**
   * A store that is briefly unavailable, for example because of a full disk, wrote nothing: the same commit is retried.
   */
  async #retry(commit: () => Promise<void>, failure: unknown, acceptsMessage: boolean): Promise<void> {
    const { taskId, observer, commitHealth } = this.#options;
    const startedAt = performance.now();
    let error = failure;
    for (let failures = 1; ; failures += 1) {
      const delay = backoffDelay(failures - 1, RETRY_BACKOFF);
      const isFullDisk = isStoreError(error) && error.isDiskFull;
      const patience =
        isFullDisk && acceptsMessage ? FULL_DISK_PATIENCE_MILLISECONDS : RETRY_LIMIT_MILLISECONDS;
      const isFinal =
        !isStoreError(error) ||
        error.code !== 'unavailable' ||
        performance.now() + delay > startedAt + patience;
      if (isStoreError(error)) observer?.commitFailed?.();
      commitHealth?.failed(taskId, error, failures, isFinal);
      if (isFinal) throw error;
      await pause(delay);
      try {
        return await commit();
      } catch (again) {
        error = again;
      }
    }
  }

  #nextCommit(events: WrittenEvent[]): () => Promise<void> {
    const { store, taskId } = this.#options;
    const entries = events.map((written) => written.entry);
    const creation = this.#creation;
    // Encoded once per commit, however many statuses it contains: only the last one counts.
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

  /** Kept for a late answer, unless the store itself failed: then no other process has the task. */
  #keepRejected(events: readonly WrittenEvent[]): void {
    if (!isTakenOver(this.#failure)) return;
    const { maxEventBytes = DEFAULT_RUNTIME_OPTIONS.maxEventBytes } = this.#options;
    for (const written of events) {
      this.#rejectedBytes += written.entry.json.length;
      if (this.#rejectedBytes <= maxEventBytes) this.#rejected.push(written);
    }
  }

  #fail(error: unknown): void {
    if (this.#failure !== undefined) return;
    this.#failure = error;
    this.#keepRejected(this.#pending);
    this.#pending = [];
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const waiter of waiting) waiter.reject(error);
    this.#options.onLost(error);
  }
}

/** The failure of a writer whose task another process has taken over. */
export function isTakenOver(failure: unknown): boolean {
  return isStoreError(failure) && failure.code === 'stale-fence';
}

function statusChange({ status, json = JSON.stringify(status) }: PendingStatus): StatusChange {
  const time = status.timestamp === undefined ? Date.now() : millisecondsOf(status.timestamp);
  return { state: status.state, time, json };
}
