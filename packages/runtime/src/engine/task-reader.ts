import { isInterrupted, isTerminal, type Task, type TaskState } from '@holdword/protocol';
import type { Store, TaskHeader } from '@holdword/store';
import type { CommitHints } from './commit-hints.ts';
import { stateOfEncoded } from './event-codec.ts';
import type { LiveTask, StreamFrame } from './live-task.ts';
import type { LiveTasks } from './live-tasks.ts';
import { viewTask } from './stored-content.ts';
import { loadFold, type TaskFold } from './task-fold.ts';

const PAGE = 256;

/**
 * Reads tasks and follows their journals by cursor (J5). Readers never write and see only what is committed (J1). A
 * task that runs here is read from memory, any other from the store, with the same result.
 */
export class TaskReader {
  readonly #store: Store;
  readonly #liveTasks: LiveTasks;
  readonly #hints: CommitHints;

  constructor(store: Store, liveTasks: LiveTasks, hints: CommitHints) {
    this.#store = store;
    this.#liveTasks = liveTasks;
    this.#hints = hints;
  }

  /** The header of a task that belongs to the owner. For anyone else it does not exist (J9). */
  async header(ownerKey: string, taskId: string): Promise<TaskHeader | undefined> {
    const header = await this.#store.readTask(taskId);
    return header?.owner === ownerKey ? header : undefined;
  }

  /**
   * The committed task and the sequence number up to which it is complete, which is at least `enough` if that is given. The
   * lists of a large task are lazy: they are read from the store while they are written.
   */
  async current(
    taskId: string,
    historyLength?: number,
    enough?: number,
  ): Promise<{ task: Task; sequence: number } | undefined> {
    const live = this.#liveTasks.find(taskId);
    if (live?.committed !== undefined) {
      return { task: this.view(live.committed, historyLength), sequence: live.committedSequence };
    }
    const fold = await loadFold(this.#store, taskId, enough);
    return fold && { task: this.view(fold, historyLength), sequence: fold.sequence };
  }

  /** The task of a fold. A large one has lazy lists. */
  view(fold: TaskFold, historyLength?: number): Task {
    return viewTask(this.#store, fold, historyLength);
  }

  /**
   * Events after `after`, as they are committed, up to and including the first whose state ends the reading. Ends
   * earlier if the signal fires or the engine stops: the reader reconnects with its cursor. Also ends if the task is deleted.
   */
  async *follow(
    taskId: string,
    after: number,
    endsAt: (state: TaskState) => boolean,
    signal: AbortSignal,
  ): AsyncGenerator<readonly StreamFrame[], void, undefined> {
    const watch = this.#hints.watch(taskId);
    try {
      let cursor = after;
      while (!signal.aborted) {
        const { missedEpoch } = this.#hints;
        const live = this.#liveTasks.find(taskId);
        const frames = live?.framesAfter(cursor) ?? (await this.#store.readEvents(taskId, cursor, PAGE));
        const last = frames.at(-1);
        if (last !== undefined) {
          const end = frames.findIndex((frame) => endsReading(frame, endsAt));
          if (end !== -1) {
            yield frames.slice(0, end + 1);
            return;
          }
          cursor = last.sequence as number;
          yield frames;
        } else if (live !== undefined) {
          await live.nextCommit(signal);
        } else {
          const header = await this.#store.readTask(taskId);
          // It ended and was deleted before this reader got its last events: nothing will come.
          if (header === undefined) return;
          if (header.lastSequence > cursor) continue;
          // Checked only here, so that a reader still gets what was committed before the stop.
          if (this.#hints.closed) return;
          if (watch.known <= cursor && missedEpoch === this.#hints.missedEpoch)
            await watch.wakeups.sleep(signal);
        }
      }
    } finally {
      this.#hints.unwatch(taskId);
    }
  }

  /** The events after `after` up to `through`, both known to be committed: for a task that has ended. */
  async *replay(
    taskId: string,
    after: number,
    through: number,
    signal: AbortSignal,
  ): AsyncGenerator<readonly StreamFrame[], void, undefined> {
    for (let cursor = after; cursor < through && !signal.aborted;) {
      const frames = await this.#store.readEvents(taskId, cursor, Math.min(PAGE, through - cursor));
      const last = frames.at(-1);
      if (last === undefined) return;
      cursor = last.sequence;
      yield frames;
    }
  }

  /**
   * Resolves when the task has an event after `sequence` or has ended, here or in another process, or when the signal fires
   * or the engine stops. Costs nothing while nothing happens. Not by `follow`, which reads the events and
   * takes more memory while it waits (`npm run bench -- longpoll`).
   */
  async movedBeyond(
    { taskId, lastSequence, state }: TaskHeader,
    sequence: number,
    signal: AbortSignal,
  ): Promise<void> {
    const hasMoved = (last: number, now: TaskState): boolean => last > sequence || isTerminal(now);
    if (hasMoved(lastSequence, state)) return;
    const watch = this.#hints.watch(taskId);
    try {
      while (!signal.aborted) {
        const { missedEpoch } = this.#hints;
        const live = this.#liveTasks.find(taskId);
        if (live?.committed !== undefined) {
          if (hasMoved(live.committedSequence, live.committed.status.state)) return;
          await live.nextCommit(signal);
          continue;
        }
        const header = await this.#store.readTask(taskId);
        if (header === undefined || hasMoved(header.lastSequence, header.state) || this.#hints.closed) return;
        if (watch.known <= header.lastSequence && missedEpoch === this.#hints.missedEpoch)
          await watch.wakeups.sleep(signal);
      }
    } finally {
      this.#hints.unwatch(taskId);
    }
  }

  /**
   * Resolves when the task has ended or waits for its user, here or in another process, or when the signal fires or the
   * engine stops.
   */
  async settled(
    taskId: string,
    signal: AbortSignal,
    live: LiveTask | undefined = this.#liveTasks.find(taskId),
  ): Promise<void> {
    await live?.settled(signal);
    if (live?.isSettled === true || signal.aborted) return;
    const header = await this.#store.readTask(taskId);
    if (header === undefined || isSettled(header.state)) return;
    for await (const _ of this.follow(taskId, header.lastSequence, isSettled, signal));
  }
}

function isSettled(state: TaskState): boolean {
  return isTerminal(state) || isInterrupted(state);
}

function endsReading(frame: StreamFrame, endsAt: (state: TaskState) => boolean): boolean {
  const state = frame.state ?? stateOfEncoded(frame.json);
  return state !== undefined && endsAt(state);
}
