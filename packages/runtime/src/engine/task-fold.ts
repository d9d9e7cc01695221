import {
  isInterrupted,
  isTerminal,
  type Artifact,
  type JsonObject,
  type Message,
  type SendMessageConfiguration,
  type StreamResponse,
  type Task,
  type TaskStatus,
} from '@holdword/protocol';
import { applyArtifactUpdate, artifactsById, withoutSequence } from '@holdword/protocol/internal';
import type { TraceContext } from '../observe/tracing.ts';

/** What an entry tells the fold in addition to its event. Never sent to clients. */
export interface InternalPayload {
  /** The user's message that started a follow-up turn of the task. */
  input?: Message;
  /** What came with the message, for a turn that a later process has to run. */
  request?: TurnRequest;
}

/** What a send request contains in addition to its message. */
export interface TurnRequest {
  configuration?: SendMessageConfiguration | undefined;
  metadata?: JsonObject | undefined;
  trace?: TraceContext | undefined;
}

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
