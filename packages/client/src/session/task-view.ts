import {
  isInterrupted,
  isTerminal,
  RESUME_EXTENSION,
  type Artifact,
  type Message,
  type Task,
  type TaskStatus,
} from '@holdword/protocol';
import { applyArtifactUpdate, artifactsById, asObject, withoutSequence } from '@holdword/protocol/internal';
import type { PeerEvent } from '../peers/peer.ts';

/**
 * What is known of a remote task, put together from snapshots and events.
 *
 * Responsible for counting every event once: where the peer numbers events, one that is already in the view is left out,
 * so a stream that was cut and resumed gives the same task as one that was not. Applying an event costs O(event): the
 * artifact that grows is extended in place, and `toTask` hands out copies.
 */
export class TaskView {
  readonly id: string;
  #task: Task;
  #artifacts: Map<string, Artifact>;
  #sequence: number | undefined;
  /** When the question was asked that has been answered since. */
  #answered: string | undefined;

  constructor(task: Task, sequence?: number) {
    this.id = task.id;
    this.#task = copyOf(withoutSequence(task));
    this.#artifacts = artifactsById(this.#task);
    this.#sequence = sequence;
  }

  /** The number of the last event that is in the view, where the peer numbers them. */
  get sequence(): number | undefined {
    return this.#sequence;
  }

  get status(): TaskStatus {
    return this.#task.status;
  }

  /** Nothing happens any more until somebody acts: the task has ended, or it waits for an answer. */
  get isSettled(): boolean {
    const { state, timestamp } = this.#task.status;
    if (isInterrupted(state)) return timestamp === undefined || timestamp !== this.#answered;
    return isTerminal(state);
  }

  /** An agent may still show the question that was just answered: that is not where the task waits. */
  markAnswered({ timestamp }: TaskStatus): void {
    this.#answered = timestamp;
  }

  /** The numbers of the peer are no longer to be trusted. */
  forgetSequence(): void {
    this.#sequence = undefined;
  }

  /** Takes a snapshot over in place of all that was known. */
  replace(task: Task, sequence?: number): void {
    this.#task = copyOf(withoutSequence(task));
    this.#artifacts = artifactsById(this.#task);
    this.#sequence = sequence;
  }

  /** Takes an event over; says whether it was new. */
  apply({ event, sequence }: PeerEvent): boolean {
    if ('message' in event) return false;
    if ('task' in event) return this.#applySnapshot(event.task, sequence);
    if (sequence !== undefined && this.#sequence !== undefined && sequence <= this.#sequence) return false;
    if ('statusUpdate' in event) this.#applyStatus(event.statusUpdate.status);
    else applyArtifactUpdate(this.#task, this.#artifacts, event.artifactUpdate);
    this.#sequence = sequence ?? this.#sequence;
    return true;
  }

  /** A copy that later events do not change. */
  toTask(): Task {
    return copyOf(this.#task);
  }

  #applySnapshot(task: Task, sequence: number | undefined): boolean {
    const { partial } = asObject(task.metadata?.[RESUME_EXTENSION]);
    // The task as of our own place, without what we have; or one that was on its way while newer events came.
    if (partial === true) return false;
    if (sequence !== undefined && this.#sequence !== undefined && sequence < this.#sequence) return false;
    const isNew = sequence === undefined || sequence !== this.#sequence;
    this.replace(task, sequence);
    return isNew;
  }

  #applyStatus(status: TaskStatus): void {
    this.#task.status = status;
    // As servers do: history holds what was said when the agent stopped.
    if (status.message !== undefined && this.isSettled) this.#addToHistory(status.message);
  }

  #addToHistory(message: Message): void {
    const history = (this.#task.history ??= []);
    if (history.at(-1)?.messageId !== message.messageId) history.push(message);
  }
}

/** A copy as far as events change it. */
function copyOf({ artifacts, history, ...task }: Task): Task {
  return {
    ...task,
    ...(artifacts && { artifacts: artifacts.map((each) => ({ ...each, parts: each.parts.slice() })) }),
    ...(history && { history: history.slice() }),
  };
}
