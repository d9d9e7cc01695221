import { A2AError } from '@holdword/protocol';
import type {
  ListTasksRequest,
  Part,
  SendMessageResponse,
  StreamResponse,
  V03Event,
  V03Message,
  V03Task,
} from '@holdword/protocol';
import {
  coreMessageToV03,
  coreStreamResponseToV03,
  coreTaskToV03,
  decodeRequest,
  describeValue,
  partSchema,
  v03PartToCore,
} from '@holdword/protocol/internal';
import { z } from 'zod';
import type { A2AAgents } from '../agents/a2a-agents.ts';
import type { FileStore } from '../files/file-store.ts';
import type { AnyPart } from '../llm/for-llm.ts';
import { InMemoryTaskStore } from '../stores/in-memory-task-store.ts';
import type { TaskStore } from '../stores/task-store.ts';
import { type Connect, followTask } from './follow-task.ts';
import { type SavedFiles, SavedTasks } from './saved-tasks.ts';
import { callFailure, mayHaveArrived, sendReliably, UnansweredMessages } from './send-reliably.ts';
import { TaskView } from './task-view.ts';
import { TimeLimit } from './time-limit.ts';

/** Options of {@link A2ASession}. */
export interface A2ASessionOptions {
  /**
   * Stores the tasks that the session has seen.
   * @default `new InMemoryTaskStore()`
   */
  taskStore?: TaskStore;
  /**
   * Stores the files of artifacts. Without it, files are not saved.
   * @default null
   */
  fileStore?: FileStore | null;
  /**
   * Timeout of `sendMessage`, in seconds.
   * @default 60
   */
  sendMessageTimeout?: number;
  /**
   * Timeout of `getTask` and of all other requests, in seconds.
   * @default 60
   */
  getTaskTimeout?: number;
  /**
   * Maximum interval between polls of an agent that does not stream, in seconds.
   * @default 5
   */
  getTaskPollInterval?: number;
}

/** Options of a single call. */
export interface CallOptions {
  /** Aborts the call, but not the work of the agent. */
  signal?: AbortSignal | undefined;
  /** Timeout in seconds. Overrides the session's timeout. */
  timeout?: number | null | undefined;
}

/** Options of a call that follows a task. */
export interface FollowCallOptions extends CallOptions {
  /** Called for every update while the task runs. */
  onUpdate?: ((update: V03Event) => void | Promise<void>) | undefined;
  /** Poll interval in seconds. Overrides the session's interval. */
  pollInterval?: number | null | undefined;
}

/** Options of `sendMessage`. */
export interface SendMessageOptions extends FollowCallOptions {
  /** Continues the conversation with this context id. Without it, a new conversation starts. */
  contextId?: string | null | undefined;
  /** Sends the message to this task, for example to answer its question. */
  taskId?: string | null | undefined;
  /** Makes the call repeatable: a second call with the same id is the same message. Without it, an id is generated. */
  messageId?: string | undefined;
}

/** One page of tasks. */
export interface TaskPage {
  tasks: V03Task[];
  /** Empty on the last page. */
  nextPageToken: string;
  /** Number of tasks on all pages. */
  totalSize: number;
}

/** After this many failures the agent may have moved, so its card is fetched again. */
const FAILURES_BEFORE_CARD_REFRESH = 2;

/**
 * Sends messages to registered agents and follows their tasks. Results are objects of A2A 0.3, with a `kind`, whatever
 * version an agent speaks. A timeout is not an error once there is a task: you get the task in its current state.
 *
 * Responsible for these guarantees: a message keeps its id across retries, a task is followed across lost connections, and
 * every task that was seen is saved. Leaves URLs and credentials to A2AAgents, reading streams to followTask, and storage
 * to the stores.
 *
 * @example
 * ```ts
 * import { A2AAgents, A2ASession, JSONTaskStore, LocalFileStore } from '@holdword/client';
 *
 * const agents = new A2AAgents({ 'research-bot': { url: 'https://research.example.com' } });
 * const session = new A2ASession(agents, {
 *   taskStore: new JSONTaskStore('./storage/tasks'),
 *   fileStore: new LocalFileStore('./storage/files'),
 * });
 * const answer = await session.sendMessage('research-bot', 'Find recent papers on quantum computing');
 * if (answer.kind === 'task' && answer.status.state === 'working') {
 *   console.log(await session.getTask('research-bot', answer.id));
 * }
 * ```
 */
export class A2ASession {
  readonly agents: A2AAgents;
  readonly #savedTasks: SavedTasks;
  readonly #unanswered: UnansweredMessages;
  readonly #options: A2ASessionOptions;

  /** @param agents The agents that the session can reach. */
  constructor(agents: A2AAgents, options: A2ASessionOptions = {}) {
    const taskStore = options.taskStore ?? new InMemoryTaskStore();
    this.agents = agents;
    this.#options = options;
    this.#savedTasks = new SavedTasks(taskStore, options.fileStore ?? null);
    this.#unanswered = new UnansweredMessages(taskStore);
  }

  /**
   * Sends a message and follows its task until it ends, asks for input or credentials, or the timeout expires.
   *
   * @param message A text, or parts of A2A 1.0 or 0.3.
   * @returns The task in its current state, or the message of an agent that created no task.
   * @throws A2AError if the agent rejects the message or does not respond; the signal's reason if it aborts.
   */
  async sendMessage(
    agentId: string,
    message: string | readonly AnyPart[],
    options: SendMessageOptions = {},
  ): Promise<V03Task | V03Message> {
    const parts = messageParts(message);
    using limit = this.#limit(options, this.#options.sendMessageTimeout);
    const unanswered = await this.#unanswered.begin({
      agentId,
      parts,
      ...(options.contextId && { contextId: options.contextId }),
      ...(options.taskId && { taskId: options.taskId }),
      ...(options.messageId !== undefined && { messageId: options.messageId }),
    });
    let answer: SendMessageResponse;
    try {
      answer = await sendReliably(
        this.#connector(agentId, limit),
        { message: unanswered.message, configuration: { returnImmediately: true } },
        limit,
      );
    } catch (error) {
      if (mayHaveArrived(error)) unanswered.release();
      else await unanswered.settle();
      throw error;
    }
    if ('message' in answer) {
      await unanswered.settle();
      return coreMessageToV03(answer.message, 'plain');
    }
    const view = new TaskView(answer.task);
    const before = options.taskId ? await this.#savedTasks.load(agentId, options.taskId) : undefined;
    if (before !== undefined) view.markAnswered(before.status);
    await this.#savedTasks.save(agentId, view);
    await unanswered.settle();
    return await this.#follow(agentId, view, limit, options);
  }

  /**
   * Follows a task until it ends, asks for input or credentials, or the timeout expires.
   *
   * @returns The task in its current state.
   * @throws A2AError if the agent returns an error, such as `TASK_NOT_FOUND`, or cannot be reached at all.
   */
  async getTask(agentId: string, taskId: string, options: FollowCallOptions = {}): Promise<V03Task> {
    using limit = this.#limit(options, this.#options.getTaskTimeout);
    const view = await translateErrors(limit, this.#loadView(agentId, taskId, limit));
    return await this.#follow(agentId, view, limit, options);
  }

  /**
   * Cancels a task.
   *
   * @returns The canceled task.
   * @throws A2AError `TASK_NOT_CANCELABLE` if the task has ended, unless it is already canceled; another code if the
   *   request fails.
   */
  async cancelTask(agentId: string, taskId: string, options: CallOptions = {}): Promise<V03Task> {
    using limit = this.#limit(options, this.#options.getTaskTimeout);
    const { peer } = await translateErrors(limit, this.agents.connect(agentId, limit.signal));
    const view = new TaskView(await translateErrors(limit, peer.cancel({ id: taskId }, callOptions(limit))));
    await this.#savedTasks.save(agentId, view);
    return coreTaskToV03(view.toTask(), 'plain');
  }

  /**
   * Lists one page of the caller's tasks on the agent.
   *
   * @throws A2AError `UNSUPPORTED_OPERATION` if the agent speaks A2A 0.3, or another code if the request fails.
   */
  async listTasks(
    agentId: string,
    query: ListTasksRequest = {},
    options: CallOptions = {},
  ): Promise<TaskPage> {
    using limit = this.#limit(options, this.#options.getTaskTimeout);
    const { peer } = await translateErrors(limit, this.agents.connect(agentId, limit.signal));
    const { tasks, nextPageToken, totalSize } = await translateErrors(
      limit,
      peer.list(query, callOptions(limit)),
    );
    return { tasks: tasks.map((task) => coreTaskToV03(task, 'plain')), nextPageToken, totalSize };
  }

  /** Returns a task as it was last seen, without a request to the agent; null if the task store does not have it. */
  async getSavedTask(agentId: string, taskId: string): Promise<V03Task | null> {
    const view = await this.#savedTasks.load(agentId, taskId);
    return view === undefined ? null : coreTaskToV03(view.toTask(), 'plain');
  }

  /** Returns the paths of a task's saved files, and the reasons why some could not be saved. */
  async getSavedFiles(agentId: string, { id, artifacts = [] }: V03Task): Promise<SavedFiles> {
    return this.#savedTasks.filesOf(
      agentId,
      id,
      artifacts.map(({ artifactId }) => artifactId),
    );
  }

  #limit({ timeout, signal }: CallOptions, defaultSeconds = 60): TimeLimit {
    signal?.throwIfAborted();
    const seconds: unknown = timeout ?? defaultSeconds;
    if (typeof seconds === 'number' && seconds >= 0) return new TimeLimit(seconds, signal);
    throw new A2AError(
      'INVALID_PARAMS',
      `The timeout must be a number of seconds, found ${describeValue(seconds)}.`,
    );
  }

  #connector(agentId: string, limit: TimeLimit): Connect {
    return (failures) => {
      if (failures >= FAILURES_BEFORE_CARD_REFRESH) this.agents.expireCard(agentId);
      return this.agents.connect(agentId, limit.signal);
    };
  }

  /** Loads the initial state: from the store if the peer can resume from it, otherwise from the agent. */
  async #loadView(agentId: string, taskId: string, limit: TimeLimit): Promise<TaskView> {
    const { peer, extensions } = await this.agents.connect(agentId, limit.signal);
    const kept = await this.#savedTasks.load(agentId, taskId);
    if (kept?.sequence !== undefined && extensions.resume && !kept.isSettled) return kept;
    return new TaskView(await peer.get({ id: taskId }, callOptions(limit)));
  }

  async #follow(
    agentId: string,
    view: TaskView,
    limit: TimeLimit,
    { onUpdate, pollInterval }: FollowCallOptions,
  ): Promise<V03Task> {
    let state = view.status.state;
    const onEvent = async (event: StreamResponse): Promise<void> => {
      // Not for every artifact chunk: saving costs O(task).
      if (view.status.state !== state) {
        state = view.status.state;
        await this.#savedTasks.save(agentId, view);
      }
      await onUpdate?.(coreStreamResponseToV03(event, 'plain'));
    };
    const pollMilliseconds = (pollInterval ?? this.#options.getTaskPollInterval ?? 5) * 1000;
    const connect = this.#connector(agentId, limit);
    try {
      await translateErrors(limit, followTask({ connect, view, limit, pollMilliseconds, onEvent }));
    } finally {
      await this.#savedTasks.save(agentId, view);
    }
    const task = view.toTask();
    await this.#savedTasks.saveFiles(agentId, task);
    return coreTaskToV03(task, 'plain');
  }
}

/** Rejects with the caller's reason if the caller aborted, otherwise with an A2AError. */
async function translateErrors<Answer>(limit: TimeLimit, call: Promise<Answer>): Promise<Answer> {
  try {
    return await call;
  } catch (error) {
    limit.throwIfAborted();
    throw callFailure(error);
  }
}

function callOptions(limit: TimeLimit): { signal: AbortSignal; timeoutMilliseconds: number } {
  return { signal: limit.signal, timeoutMilliseconds: limit.millisecondsLeft };
}

const partsSchema = z.array(partSchema).min(1);

/** Converts a text, or parts of A2A 1.0 or 0.3, to parts of 1.0. Throws an A2AError if a part is invalid. */
export function messageParts(content: string | readonly AnyPart[]): Part[] {
  if (typeof content === 'string') return [{ text: content }];
  if (!Array.isArray(content)) {
    throw new A2AError(
      'INVALID_PARAMS',
      `The message must be a text or an array of parts, found ${describeValue(content)}. Send 'hello', or [{ text: 'hello' }].`,
    );
  }
  return decodeRequest(
    partsSchema,
    content.map((part) => ('kind' in part ? v03PartToCore(part) : part)),
  );
}
