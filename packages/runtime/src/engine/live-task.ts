import {
  type Artifact,
  isInterrupted,
  isTerminal,
  type JsonObject,
  type Message,
  type Part,
  type Task,
  type TaskArtifactUpdateEvent,
  type TaskState,
  type TaskStatus,
  type TaskStatusUpdateEvent,
} from '@holdword/protocol';
import type { JournalEntry, Store } from '@holdword/store';
import type { MessageDetails } from '../executors/executor.ts';
import { isoTime, newId } from '../ids-and-times.ts';
import type { Log } from '../log.ts';
import type { Observer } from '../observe/observer.ts';
import type { CommitHealth } from './store-health.ts';
import { Wakeups } from './commit-hints.ts';
import { type InternalPayload, type JournalEvent, stateOf } from './event-codec.ts';
import {
  isTakenOver,
  JournalWriter,
  type TaskCreation,
  type WriteOptions,
  type WrittenEvent,
} from './journal-writer.ts';
import { LARGE_CHARACTERS, TaskFold } from './task-fold.ts';

export interface LiveTaskDependencies {
  store: Store;
  log: Log;
  observer?: Observer | undefined;
  commitHealth?: CommitHealth | undefined;
  maxEventBytes?: number | undefined;
  maxTaskBytes?: number | undefined;
  includeSequence: boolean;
}

export interface ArtifactChunk {
  artifact: Artifact;
  append?: boolean | undefined;
  lastChunk?: boolean | undefined;
  metadata?: JsonObject | undefined;
  checkpoint?: JsonObject | undefined;
}

const SNAPSHOT_MIN_BYTES = 128 * 1024;
const SNAPSHOT_MIN_EVENTS = 32;
/** The snapshot of a large task is small, and need not be new: events up to this size are read quickly. */
const LARGE_SNAPSHOT_MIN_BYTES = LARGE_CHARACTERS;

/**
 * A task that this process may write to: it is being created, run, canceled or recovered here.
 *
 * Responsible for the order of states (a terminal state is the last, J6) and for showing only what is committed (J1):
 * the written state leads, the fold and the frames follow with each commit. Leaves the lease to LiveTasks, and the
 * agent's behavior to the turn.
 */
export class LiveTask {
  readonly taskId: string;
  readonly contextId: string;
  readonly ownerKey: string;
  readonly #dependencies: LiveTaskDependencies;
  readonly #writer: JournalWriter;
  readonly #wakeups = new Wakeups();
  readonly #recent: RecentFrames;
  #writtenState: TaskState | undefined;
  #fold: TaskFold | undefined;
  #bytesSinceSnapshot = 0;
  #eventsSinceSnapshot = 0;
  #snapshotBytes = 0;
  #failure: unknown;
  #disposed = false;
  readonly #lostListeners: ((failure: unknown) => void)[] = [];

  private constructor(
    dependencies: LiveTaskDependencies,
    identity: { taskId: string; contextId: string; ownerKey: string },
    start: TaskCreation | { fence: number; fold: TaskFold },
  ) {
    this.#dependencies = dependencies;
    this.taskId = identity.taskId;
    this.contextId = identity.contextId;
    this.ownerKey = identity.ownerKey;
    this.#fold = 'fold' in start ? start.fold : undefined;
    this.#writtenState = this.#fold?.status.state;
    this.#recent = new RecentFrames(this.#fold?.sequence ?? 0);
    this.#writer = new JournalWriter({
      store: dependencies.store,
      taskId: identity.taskId,
      includeSequence: dependencies.includeSequence,
      observer: dependencies.observer,
      commitHealth: dependencies.commitHealth,
      maxEventBytes: dependencies.maxEventBytes,
      maxTaskBytes: dependencies.maxTaskBytes,
      start:
        'fold' in start
          ? { fence: start.fence, lastSequence: start.fold.sequence, characters: start.fold.characters }
          : start,
      onCommitted: (events) => this.#onCommitted(events),
      onLost: (error) => this.#onLost(error),
    });
  }

  /** A task that is created by its first write. */
  static begin(dependencies: LiveTaskDependencies, taskId: string, creation: TaskCreation): LiveTask {
    return new LiveTask(
      dependencies,
      { taskId, contextId: creation.contextId, ownerKey: creation.owner },
      creation,
    );
  }

  /** A task from the store whose lease this process holds with `fence`. */
  static continue(
    dependencies: LiveTaskDependencies,
    ownerKey: string,
    held: { fence: number; fold: TaskFold },
  ): LiveTask {
    return new LiveTask(
      dependencies,
      { taskId: held.fold.id, contextId: held.fold.contextId, ownerKey },
      held,
    );
  }

  /** The state after everything written, committed or not. Undefined before the first write. */
  get writtenState(): TaskState | undefined {
    return this.#writtenState;
  }

  /** The task as readers may see it. Undefined until its first commit. */
  get committed(): TaskFold | undefined {
    return this.#fold;
  }

  get committedSequence(): number {
    return this.#writer.committedSequence;
  }

  /** The number of the last event, committed or not. */
  get writtenSequence(): number {
    return this.#writer.lastSequence;
  }

  /** The task has ended or waits for its user, and that is committed. */
  get isSettled(): boolean {
    const state = this.#fold?.status.state;
    return state !== undefined && (isTerminal(state) || isInterrupted(state));
  }

  writeCreated(task: Task, options: WriteOptions = {}): void {
    this.#writer.write({ task }, options);
    this.#writtenState = task.status.state;
  }

  /** Writes a new status. Returns false if the task has ended; then it stays unchanged. */
  writeStatus(
    state: TaskState,
    content?: { parts: Part[]; details?: MessageDetails | undefined },
    options: WriteOptions & { metadata?: JsonObject | undefined } = {},
  ): boolean {
    if (this.#writtenState !== undefined && isTerminal(this.#writtenState)) return false;
    const status: TaskStatus = { state, timestamp: isoTime() };
    if (content !== undefined) status.message = this.agentMessage(content.parts, content.details);
    const { taskId, contextId } = this;
    const statusUpdate: TaskStatusUpdateEvent = { taskId, contextId, status };
    if (options.metadata !== undefined) statusUpdate.metadata = options.metadata;
    this.#writer.write({ statusUpdate }, options);
    this.#writtenState = state;
    return true;
  }

  writeArtifact(chunk: ArtifactChunk): void {
    const { taskId, contextId } = this;
    const { artifact, append, lastChunk, metadata, checkpoint } = chunk;
    const artifactUpdate: TaskArtifactUpdateEvent = { taskId, contextId, artifact };
    if (append === true) artifactUpdate.append = true;
    if (lastChunk === true) artifactUpdate.lastChunk = true;
    if (metadata !== undefined) artifactUpdate.metadata = metadata;
    this.#writer.write({ artifactUpdate }, { internal: checkpoint && { checkpoint } });
  }

  agentMessage(parts: Part[], details: MessageDetails = {}): Message {
    const { taskId, contextId } = this;
    return { messageId: newId(), contextId, taskId, role: 'ROLE_AGENT', parts, ...details };
  }

  /** More can be written without waiting. */
  get hasRoom(): boolean {
    return this.#writer.hasRoom;
  }

  room(): Promise<void> {
    return this.#writer.room();
  }

  flushed(): Promise<void> {
    return this.#writer.flushed();
  }

  /** Committed frames after `sequence`. Undefined if they have to be read from the store. */
  framesAfter(sequence: number): readonly StreamFrame[] | undefined {
    return this.#recent.after(sequence);
  }

  /** Resolves when something was committed, when the task was lost or disposed of, or when the signal fires. */
  nextCommit(signal: AbortSignal): Promise<void> {
    return this.#disposed ? Promise.resolve() : this.#wakeups.sleep(signal);
  }

  /**
   * Resolves when the task has ended or waits for its user, or earlier if this process disposes of it or another
   * process takes it over. Rejects if it could not be written.
   */
  async settled(signal: AbortSignal): Promise<void> {
    while (!this.isSettled && !signal.aborted) {
      if (this.#failure !== undefined && !isTakenOver(this.#failure)) throw this.#failure;
      if (this.#disposed) return;
      await this.#wakeups.sleep(signal);
    }
  }

  /**
   * Calls the listener when this process loses the task or cannot write it, or immediately if that has already
   * happened.
   */
  whenLost(listener: (failure: unknown) => void): void {
    if (this.#failure === undefined) this.#lostListeners.push(listener);
    else listener(this.#failure);
  }

  /** This process no longer needs the task: its readers continue from the store. */
  dispose(): void {
    this.#disposed = true;
    this.#wakeups.wakeAll();
  }

  /**
   * An event with this sequence number was committed. If another process wrote it, the task is lost to that process.
   */
  noticeCommit(sequence: number): void {
    this.#writer.noticeCommit(sequence);
  }

  /** What was written here after another process had taken over the task. */
  rejectedEvents(): Promise<readonly JournalEvent[]> {
    return this.#writer.rejectedEvents();
  }

  /** There is a lease to release. */
  get holdsLease(): boolean {
    return this.#writer.holdsLease;
  }

  /** Releases the lease, unless the last commit did. */
  releaseLease(): Promise<void> {
    return this.#writer.releaseLease();
  }

  #onCommitted(events: readonly WrittenEvent[]): void {
    for (const { sequence, event, internal, entry } of events) {
      const from = this.#fold?.status.state;
      this.#applyCommitted(event, internal, entry);
      const state = stateOf(event);
      if (state !== undefined && state !== from) this.#announce(state, from);
      const { json } = entry;
      this.#recent.add(state === undefined ? { sequence, json } : { sequence, json, state });
      this.#bytesSinceSnapshot += entry.json.length;
      this.#eventsSinceSnapshot += 1;
    }
    if (this.#bytesSinceSnapshot > SNAPSHOT_MIN_BYTES && this.#isWorthASnapshot()) this.#saveSnapshot();
    this.#wakeups.wakeAll();
  }

  #applyCommitted(
    event: JournalEvent,
    internal: InternalPayload | undefined,
    { json, internal: internalJson = '' }: JournalEntry,
  ): void {
    const characters = json.length + internalJson.length;
    if (this.#fold !== undefined) this.#fold.apply(event, internal, characters);
    // The fold extends its arrays in place, so it gets arrays that no frame and no executor shares.
    else if ('task' in event)
      this.#fold = new TaskFold(
        { ...event.task, history: [...(event.task.history ?? [])] },
        internal,
        characters,
      );
    else
      throw new Error(
        `The first event of a journal must be the task, not ${stateOf(event) ?? 'an artifact'}.`,
      );
  }

  #announce(state: TaskState, from: TaskState | undefined): void {
    const { taskId, ownerKey } = this;
    this.#dependencies.observer?.stateChanged?.({ taskId, ownerKey, state, from });
  }

  /** Without it, a reader would read much more than the snapshot has, or many events. */
  #isWorthASnapshot(): boolean {
    const { isLarge = false, heldCharacters = 0 } = this.#fold ?? {};
    if (this.#bytesSinceSnapshot <= Math.max(isLarge ? LARGE_SNAPSHOT_MIN_BYTES : 0, this.#snapshotBytes))
      return false;
    return this.#eventsSinceSnapshot >= SNAPSHOT_MIN_EVENTS || this.#bytesSinceSnapshot > 2 * heldCharacters;
  }

  /**
   * A snapshot is written each time the journal has doubled since the last one, so the cost per event stays constant
   * (J4).
   */
  #saveSnapshot(): void {
    const json = (this.#fold as TaskFold).toSnapshot();
    this.#snapshotBytes = json.length;
    this.#bytesSinceSnapshot = 0;
    this.#eventsSinceSnapshot = 0;
    this.#dependencies.store
      .writeSnapshot(this.taskId, { sequence: this.committedSequence, json })
      .catch((error: unknown) => {
        this.#dependencies.log.warn(
          'Could not save a snapshot. Nothing is lost: the journal is complete without it.',
          {
            taskId: this.taskId,
            error: String(error),
          },
        );
      });
  }

  #onLost(error: unknown): void {
    this.#failure = error;
    for (const listener of this.#lostListeners) listener(error);
    this.dispose();
  }
}

/** One event on its way to a reader. */
export interface StreamFrame {
  /** A StreamResponse as A2A 1.0 JSON, ready to be written. */
  readonly json: string;
  /**
   * Instead of the JSON, which is empty, a task that is too large for one text. Only for readers that write it in pieces.
   * @internal
   */
  readonly lazy?: { readonly task: Task };
  /**
   * The SSE event ID and the cursor to resume from: the number of a committed event, or the last number that a snapshot
   * includes. Absent on plain messages.
   */
  readonly sequence?: number;
  /** The state of the event, if that is known without parsing. */
  readonly state?: TaskState;
}

const MAX_FRAMES = 1_024;
const MAX_BYTES = 512 * 1_024;

/**
 * The newest committed events of a live task, so that readers who keep up never query the store. A reader that falls
 * behind the window reads from the store instead: a slow reader costs no memory (J5).
 */
export class RecentFrames {
  #frames: StreamFrame[] = [];
  #bytes = 0;
  #lastSequence: number;

  constructor(lastSequence: number) {
    this.#lastSequence = lastSequence;
  }

  add(frame: StreamFrame & { sequence: number }): void {
    this.#frames.push(frame);
    this.#bytes += frame.json.length;
    this.#lastSequence = frame.sequence;
    // Cut to half at once, so that the cost of moving the array is spread over many events.
    if (this.#frames.length > MAX_FRAMES || this.#bytes > MAX_BYTES) this.#cut();
  }

  /** The frames after `sequence`. Undefined if some of them have left the window. */
  after(sequence: number): readonly StreamFrame[] | undefined {
    const missing = this.#lastSequence - sequence;
    if (missing <= 0) return [];
    if (missing > this.#frames.length) return undefined;
    return this.#frames.slice(-missing);
  }

  #cut(): void {
    this.#frames = this.#frames.slice(-Math.floor(this.#frames.length / 2));
    this.#bytes = this.#frames.reduce((total, frame) => total + frame.json.length, 0);
  }
}
