import { A2AError, isA2AError } from '@holdword/protocol';
import type {
  ListTasksRequest,
  Message,
  Part,
  SendMessageResponse,
  StreamResponse,
  Task,
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
  quotedMessage,
  v03PartToCore,
} from '@holdword/protocol/internal';
import { z } from 'zod';
import type { A2AAgents } from '../agents/a2a-agents.ts';
import { BoundedMap } from '../basics/bounded-map.ts';
import { isTransient } from '../basics/retries.ts';
import { type AnyPart, artifactIdBesideMessage, MESSAGE_ARTIFACT } from '../llm/for-llm.ts';
import type { Peer, PeerCallOptions } from '../peers/peer.ts';
import { InMemoryNotes, InMemoryTaskStore } from '../stores/in-memory-task-store.ts';
import type { TaskStore } from '../stores/task-store.ts';
import { questionOf } from './answered-question.ts';
import { type Connect, followTask } from './follow-task.ts';
import { callFailure, isTimeout, ofKnownTask, translateErrors, withTaskId } from './call-failure.ts';
import { type SavedFiles, SavedTasks } from './saved-tasks.ts';
import { mayHaveArrived, sendReliably, withUncertainty } from './send-reliably.ts';
import {
  type A2ASessionOptions,
  type CallOptions,
  CANCEL_CALL,
  checkAnswer,
  checkCall,
  checkListQuery,
  checkSession,
  checkTaskId,
  type FollowCallOptions,
  GET_CALL,
  LIST_CALL,
  SEND_CALL,
  type SendMessageOptions,
} from './session-options.ts';
import { returnedTask } from './task-notice.ts';
import { TaskView } from './task-view.ts';
import { TimeLimit } from './time-limit.ts';
import { UnansweredMessages } from './unanswered-messages.ts';

/** One page of tasks. */
export interface TaskPage {
  tasks: V03Task[];
  /** Empty on the last page. */
  nextPageToken: string;
  /** Number of tasks on all pages. */
  totalSize: number;
}

/** Plain messages are remembered for later views. */
const MAX_MESSAGES = 200;
const MAX_MESSAGE_CHARACTERS = 32 * 1024 * 1024;

/** After this many failures the agent may have moved, so its card is fetched again. */
const FAILURES_BEFORE_CARD_REFRESH = 2;

/**
 * Sends messages to registered agents and follows their tasks. Results are objects of A2A 0.3, with a `kind`, whatever
 * version an agent speaks. A timeout is not an error once there is a task: you get the task in its current state. If the agent
 * could not be reached in the end, or artifacts are missing, `metadata['urn:holdword:client:notice:v1']` of the task says so.
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
  readonly #messages = new BoundedMap<string, V03Message>({
    entries: MAX_MESSAGES,
    weight: MAX_MESSAGE_CHARACTERS,
    weigh: ({ parts }) => JSON.stringify(parts).length,
  });

  /**
   * @param agents The agents that the session can reach.
   * @throws TypeError if an argument or an option is unknown or invalid.
   */
  constructor(agents: A2AAgents, options: A2ASessionOptions = {}) {
    checkSession(agents, options);
    const tasks: TaskStore = options.taskStore ?? new InMemoryTaskStore();
    const notes = tasks.notes ?? new InMemoryNotes();
    this.agents = agents;
    this.#options = options;
    const { largeParts, maxResponseBytes: maxViewLength } = agents;
    if (tasks.largePartsFolder !== undefined) largeParts.keepIn(tasks.largePartsFolder);
    const files = options.fileStore ?? null;
    this.#savedTasks = new SavedTasks({ tasks, notes, files, largeParts, maxViewLength });
    this.#unanswered = new UnansweredMessages(notes);
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
    checkCall(SEND_CALL, options);
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
      throw withUncertainty(error);
    }
    if ('message' in answer) {
      await unanswered.settle();
      return await this.#keepMessage(agentId, answer.message);
    }
    const view = this.#view(answer.task);
    try {
      const before = options.taskId ? await this.#loadSaved(agentId, options.taskId) : undefined;
      if (before !== undefined) view.markAnswered(questionOf(before.status));
      await this.#savedTasks.save(agentId, view);
    } catch (error) {
      // Whoever sends it again nevertheless sends the same message.
      unanswered.release();
      throw withTaskId(error, view);
    }
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
    checkTaskId(GET_CALL, taskId);
    checkCall(GET_CALL, options);
    using limit = this.#limit(options, this.#options.getTaskTimeout);
    const { view, failure } = await this.#loadView(agentId, taskId, limit);
    return await this.#follow(agentId, view, limit, { ...options, failure });
  }

  /**
   * Cancels a task.
   *
   * @returns The canceled task.
   * @throws A2AError `TASK_NOT_CANCELABLE` if the task has ended, unless it is already canceled; another code if the
   *   request fails.
   */
  async cancelTask(agentId: string, taskId: string, options: CallOptions = {}): Promise<V03Task> {
    checkTaskId(CANCEL_CALL, taskId);
    checkCall(CANCEL_CALL, options);
    using limit = this.#limit(options, this.#options.getTaskTimeout);
    const { peer } = await translateErrors(limit, this.agents.connect(agentId, limit.signal));
    const canceling = cancelOnce(peer, { id: taskId }, callOptions(limit));
    const task = await translateErrors(limit, canceling).catch(async (error: unknown) => {
      throw ofKnownTask(error, await this.#loadSaved(agentId, taskId));
    });
    const view = new TaskView(task);
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
    checkListQuery(query);
    checkCall(LIST_CALL, options);
    using limit = this.#limit(options, this.#options.getTaskTimeout);
    const { peer } = await translateErrors(limit, this.agents.connect(agentId, limit.signal));
    const { tasks, nextPageToken, totalSize } = await translateErrors(
      limit,
      peer.list(query, callOptions(limit)),
    );
    const shown = tasks.map((task) => coreTaskToV03(task, 'plain'));
    return { tasks: shown, nextPageToken, totalSize };
  }

  /** Returns a task as it was last seen, without a request to the agent; null if the task store does not have it. */
  async getSavedTask(agentId: string, taskId: string): Promise<V03Task | null> {
    const view = await this.#savedTasks.load(agentId, taskId);
    return view === undefined ? null : coreTaskToV03(view.toTask(), 'plain');
  }

  /**
   * Returns the paths of the saved files of a task or message, and the reasons why some could not be saved. Files of the message
   * itself are those of the artifact `_message`; an artifact that the agent calls so is `agent:_message` here.
   */
  async getSavedFiles(agentId: string, answer: V03Task | V03Message): Promise<SavedFiles> {
    checkAnswer(answer);
    if (answer.kind === 'message') {
      return this.#savedTasks.filesOf(agentId, answer.messageId, [MESSAGE_ARTIFACT]);
    }
    const artifactIds = (answer.artifacts ?? [])
      .filter(({ parts }) => parts.some(({ kind }) => kind === 'file'))
      .map(({ artifactId }) => artifactIdBesideMessage(artifactId));
    return this.#savedTasks.filesOf(agentId, answer.id, [...new Set([...artifactIds, MESSAGE_ARTIFACT])]);
  }

  /**
   * Saves a task that was fetched without following it.
   * @internal
   */
  async saveTask(agentId: string, task: Task): Promise<V03Task> {
    const view = new TaskView(task);
    // A task that runs is saved by whoever follows it.
    if (view.isSettled) await this.#savedTasks.save(agentId, view);
    return coreTaskToV03(view.toTask(), 'plain');
  }

  /**
   * Returns a plain message that an agent sent in this process, as long as the session remembers it.
   * @internal
   */
  getSavedMessage(agentId: string, messageId: string): V03Message | null {
    return this.#messages.get(JSON.stringify([agentId, messageId])) ?? null;
  }

  #limit({ timeout, signal }: CallOptions, defaultSeconds = 60): TimeLimit {
    signal?.throwIfAborted();
    return new TimeLimit(timeout ?? defaultSeconds, signal);
  }

  #view(task: Task): TaskView {
    return new TaskView(task, undefined, this.agents.maxResponseBytes);
  }

  async #keepMessage(agentId: string, message: Message): Promise<V03Message> {
    const kept = coreMessageToV03(message, 'plain');
    this.#messages.set(JSON.stringify([agentId, message.messageId]), kept);
    await this.#savedTasks.saveMessageFiles(agentId, message);
    return kept;
  }

  #connector(agentId: string, limit: TimeLimit): Connect {
    return (failures) => {
      if (failures >= FAILURES_BEFORE_CARD_REFRESH) this.agents.expireCard(agentId);
      return this.agents.connect(agentId, limit.signal);
    };
  }

  /**
   * Loads the initial state: from the store if the peer can resume from it, otherwise from the agent. If that fails for now, the
   * task is the one that was last seen.
   */
  async #loadView(
    agentId: string,
    taskId: string,
    limit: TimeLimit,
  ): Promise<{ view: TaskView; failure?: string }> {
    const kept = await this.#loadSaved(agentId, taskId);
    try {
      const { peer, extensions } = await this.agents.connect(agentId, limit.signal);
      if (kept?.sequence !== undefined && extensions.resume && !kept.isSettled) return { view: kept };
      const view = this.#view(await peer.get({ id: taskId }, callOptions(limit)));
      view.markAnswered(kept?.answered);
      return { view };
    } catch (error) {
      limit.throwIfAborted();
      const failure = callFailure(error);
      const mayPass = isTransient(error) || isTimeout(error);
      if (kept === undefined || !mayPass) throw ofKnownTask(failure, kept);
      return { view: kept, failure: failure instanceof Error ? quotedMessage(failure) : '' };
    }
  }

  /** The saved task, if there is one that can be read. The agent has it as well. */
  async #loadSaved(agentId: string, taskId: string): Promise<TaskView | undefined> {
    try {
      return await this.#savedTasks.load(agentId, taskId);
    } catch {
      return undefined;
    }
  }

  async #follow(
    agentId: string,
    view: TaskView,
    limit: TimeLimit,
    { onUpdate, pollInterval, failure }: FollowCallOptions & { failure?: string | undefined },
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
    let unreachable: string | undefined;
    try {
      // First of all the task itself, so that its id is known even if the call is aborted.
      await onUpdate?.(coreTaskToV03(view.toTask(), 'plain'));
      unreachable = await translateErrors(
        limit,
        followTask({ connect, view, limit, pollMilliseconds, onEvent, failure }),
      );
    } catch (error) {
      // The first error is the one to report.
      await this.#savedTasks.save(agentId, view).catch(() => {});
      throw withTaskId(error, view);
    }
    try {
      await this.#savedTasks.save(agentId, view);
    } catch (error) {
      throw withTaskId(error, view);
    }
    const unsaved = await this.#savedTasks.saveFiles(agentId, view.toTask());
    return returnedTask(view, { unreachable, unsaved });
  }
}

/** Agents of A2A 0.3 refuse to cancel a task that is canceled already. That is what the caller wants. */
async function cancelOnce(peer: Peer, request: { id: string }, options: PeerCallOptions): Promise<Task> {
  try {
    return await peer.cancel(request, options);
  } catch (error) {
    if (!isA2AError(error) || error.code !== 'TASK_NOT_CANCELABLE') throw error;
    const task = await peer.get(request, options);
    if (task.status.state === 'TASK_STATE_CANCELED') return task;
    throw error;
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
