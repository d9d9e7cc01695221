import type {
  ListTasksRequest,
  SendMessageResponse,
  StreamResponse,
  V03Event,
  V03Message,
  V03Task,
} from '@holdword/protocol';
import { coreMessageToV03, coreStreamResponseToV03, coreTaskToV03 } from '@holdword/protocol/internal';
import type { A2AAgents } from '../agents/a2a-agents.ts';
import type { FileStore } from '../files/file-store.ts';
import type { AnyPart } from '../llm/any-artifact.ts';
import { InMemoryTaskStore } from '../stores/in-memory-task-store.ts';
import type { TaskStore } from '../stores/task-store.ts';
import { callFailure } from './call-failure.ts';
import { followTask, type Connect } from './follow-task.ts';
import { SavedTasks, type SavedFiles } from './saved-tasks.ts';
import { messageParts } from './message-parts.ts';
import { mayHaveArrived, sendReliably } from './send-reliably.ts';
import { TaskView } from './task-view.ts';
import { TimeLimit } from './time-limit.ts';
import { UnansweredMessages } from './unanswered-messages.ts';

export interface A2ASessionOptions {
  /** In memory unless given. */
  taskStore?: TaskStore;
  /** Files of artifacts are not saved without one. */
  fileStore?: FileStore | null;
  /** In seconds (default: 60). */
  sendMessageTimeout?: number;
  /** In seconds (default: 60). */
  getTaskTimeout?: number;
  /** In seconds: the longest pause between two questions to an agent that does not stream (default: 5). */
  getTaskPollInterval?: number;
}

export interface CallOptions {
  /** Stops the call, not the work of the agent. */
  signal?: AbortSignal | undefined;
  /** Seconds in place of the session's. */
  timeout?: number | null | undefined;
}

export interface FollowCallOptions extends CallOptions {
  /** Told of everything new while the task runs. */
  onUpdate?: ((update: V03Event) => void | Promise<void>) | undefined;
  /** Seconds in place of the session's. */
  pollInterval?: number | null | undefined;
}

export interface SendMessageOptions extends FollowCallOptions {
  /** Continues a conversation; a new one begins without it. */
  contextId?: string | null | undefined;
  /** Answers the question of a task. */
  taskId?: string | null | undefined;
  /** Of the caller's own choice; a call that is made again with it is the same call. */
  messageId?: string | undefined;
}

export interface TaskPage {
  tasks: V03Task[];
  /** Empty on the last page. */
  nextPageToken: string;
  totalSize: number;
}

/** An agent that cannot be reached so often may have moved. */
const FAILURES_BEFORE_CARD_REFRESH = 2;

/**
 * Conversations with the agents that a user has named. Results are the objects of A2A 0.3, with a `kind`, whatever the
 * agents speak.
 *
 * Responsible for what a caller relies on: a message has one id however often it is sent, a task is followed through
 * broken connections, what was seen is kept, and a time that is up is no error once there is a task. Leaves addresses and
 * credentials to A2AAgents, reading streams to followTask, and keeping to the stores.
 */
export class A2ASession {
  readonly agents: A2AAgents;
  readonly #savedTasks: SavedTasks;
  readonly #unanswered: UnansweredMessages;
  readonly #options: A2ASessionOptions;

  constructor(agents: A2AAgents, options: A2ASessionOptions = {}) {
    const taskStore = options.taskStore ?? new InMemoryTaskStore();
    this.agents = agents;
    this.#options = options;
    this.#savedTasks = new SavedTasks(taskStore, options.fileStore ?? null);
    this.#unanswered = new UnansweredMessages(taskStore);
  }

  /**
   * Sends a message, a text or parts, and follows the task until it ends, asks for something or the time is up. Rejects
   * with an A2AError when the agent refuses the message or does not answer it.
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
   * The task as it is when it ends, asks for something or the time is up. Rejects with an A2AError when the agent
   * refuses or cannot be reached at all.
   */
  async getTask(agentId: string, taskId: string, options: FollowCallOptions = {}): Promise<V03Task> {
    using limit = this.#limit(options, this.#options.getTaskTimeout);
    const view = await translateErrors(limit, this.#loadView(agentId, taskId, limit));
    return await this.#follow(agentId, view, limit, options);
  }

  /** Asks the agent to stop working on a task. */
  async cancelTask(agentId: string, taskId: string, options: CallOptions = {}): Promise<V03Task> {
    using limit = this.#limit(options, this.#options.getTaskTimeout);
    const { peer } = await translateErrors(limit, this.agents.connect(agentId, limit.signal));
    const view = new TaskView(await translateErrors(limit, peer.cancel({ id: taskId }, callOptions(limit))));
    await this.#savedTasks.save(agentId, view);
    return coreTaskToV03(view.toTask(), 'plain');
  }

  /** One page of the tasks that the agent has for this caller; agents of A2A 0.3 cannot tell. */
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

  /** The task as it was seen last, without asking the agent; null when this session's store does not have it. */
  async getSavedTask(agentId: string, taskId: string): Promise<V03Task | null> {
    const view = await this.#savedTasks.load(agentId, taskId);
    return view === undefined ? null : coreTaskToV03(view.toTask(), 'plain');
  }

  /** Where the files of a task's artifacts were saved, and why some were not. */
  async getSavedFiles(agentId: string, { id, artifacts = [] }: V03Task): Promise<SavedFiles> {
    return this.#savedTasks.filesOf(
      agentId,
      id,
      artifacts.map(({ artifactId }) => artifactId),
    );
  }

  #limit({ timeout, signal }: CallOptions, usual = 60): TimeLimit {
    signal?.throwIfAborted();
    return new TimeLimit(timeout ?? usual, signal);
  }

  #connector(agentId: string, limit: TimeLimit): Connect {
    return (failures) => {
      if (failures >= FAILURES_BEFORE_CARD_REFRESH) this.agents.expireCard(agentId);
      return this.agents.connect(agentId, limit.signal);
    };
  }

  /** What is known before the first event: from the store where the peer can go on from there, else from the agent. */
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
      // Not for every chunk of an artifact: keeping costs as much as the whole task is long.
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

/** The caller's own reason when the caller has stopped, otherwise what the failure is to a caller. */
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
