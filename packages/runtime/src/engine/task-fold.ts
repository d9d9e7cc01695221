import {
  type Artifact,
  isInterrupted,
  isTerminal,
  type Message,
  type StreamResponse,
  type Task,
  type TaskStatus,
} from '@holdword/protocol';
import { applyArtifactUpdate, artifactsById, withoutSequence } from '@holdword/protocol/internal';
import type { Store } from '@holdword/store';
import { parseEvent, type InternalPayload, type TurnRequest } from './event-codec.ts';

/**
 * The task so far, folded from its journal. Applying an event costs O(event): a growing artifact is found by id and
 * extended in place, so no caller may keep a reference into it; `toTask` returns copies.
 *
 * The history contains the conversation: what the user sent, and what the agent said when it stopped. What the agent
 * says while working stays in the journal and on the streams.
 */
export class TaskFold {
  readonly #task: Task;
  readonly #artifacts: Map<string, Artifact>;
  #request: TurnRequest;

  /** Takes ownership of the task from its first event. */
  constructor(task: Task, internal?: InternalPayload) {
    this.#task = withoutSequence(task);
    this.#artifacts = artifactsById(this.#task);
    this.#request = internal?.request ?? {};
  }

  static fromSnapshot(json: string): TaskFold {
    const { task, request } = JSON.parse(json) as { task: Task; request: TurnRequest };
    return new TaskFold(task, { request });
  }

  toSnapshot(): string {
    return JSON.stringify({ task: this.#task, request: this.#request });
  }

  get id(): string {
    return this.#task.id;
  }

  get contextId(): string {
    return this.#task.contextId;
  }

  get status(): TaskStatus {
    return this.#task.status;
  }

  get history(): readonly Message[] {
    return this.#task.history ?? [];
  }

  /** What came with the message of the current turn. */
  get request(): TurnRequest {
    return this.#request;
  }

  apply(event: StreamResponse, internal?: InternalPayload): void {
    if (internal?.input !== undefined) {
      this.#addToHistory(internal.input);
      this.#request = internal.request ?? {};
    }
    if ('statusUpdate' in event) this.#applyStatus(event.statusUpdate.status);
    else if ('artifactUpdate' in event)
      applyArtifactUpdate(this.#task, this.#artifacts, event.artifactUpdate);
  }

  /**
   * A copy that later events do not change. `historyLength` keeps that many of the newest messages; 0 omits the
   * history.
   */
  toTask(historyLength?: number): Task {
    const { id, contextId, status, metadata, artifacts = [], history = [] } = this.#task;
    const task: Task = { id, contextId, status };
    if (metadata !== undefined) task.metadata = metadata;
    if (artifacts.length > 0)
      task.artifacts = artifacts.map((artifact) => ({ ...artifact, parts: artifact.parts.slice() }));
    const kept = historyLength === undefined ? history.slice() : newest(history, historyLength);
    if (kept.length > 0) task.history = kept;
    return task;
  }

  #applyStatus(status: TaskStatus): void {
    this.#task.status = status;
    if (status.message !== undefined && (isTerminal(status.state) || isInterrupted(status.state))) {
      this.#addToHistory(status.message);
    }
  }

  #addToHistory(message: Message): void {
    (this.#task.history ??= []).push(message);
  }
}

function newest(messages: readonly Message[], count: number): Message[] {
  return count === 0 ? [] : messages.slice(-count);
}

/** The snapshot of a task as stores keep it, for tasks that come from another system. */
export function taskToSnapshot(task: Task): string {
  return new TaskFold(task).toSnapshot();
}

const PAGE = 512;

/**
 * Folds a task from its newest snapshot and the events after it: up to the last committed event, or at least up to the
 * event `enough`, which saves a read. Undefined if the task has no journal, or was deleted while it was read.
 */
export async function loadFold(
  store: Store,
  taskId: string,
  enough = Infinity,
): Promise<{ fold: TaskFold; sequence: number } | undefined> {
  const snapshot = await store.readSnapshot(taskId);
  let fold = snapshot === undefined ? undefined : TaskFold.fromSnapshot(snapshot.json);
  let sequence = snapshot?.sequence ?? 0;
  for (;;) {
    const events = await store.readEvents(taskId, sequence, PAGE);
    for (const committed of events) {
      const { event, internal } = parseEvent(committed);
      if (fold === undefined) fold = new TaskFold((event as { task: Task }).task, internal);
      else fold.apply(event, internal);
      sequence = committed.sequence;
    }
    if (events.length > 0 && sequence < enough) continue;
    const isDeleted = sequence < enough && enough !== Infinity;
    return fold === undefined || isDeleted ? undefined : { fold, sequence };
  }
}
