import { isA2AError } from '@holdword/protocol';
import type { V03Event, V03Message, V03Task, V03TaskStatus } from '@holdword/protocol';
import { pause, quotedMessage } from '@holdword/protocol/internal';
import { retryDelay } from '../basics/retries.ts';
import { callFailure } from '../session/call-failure.ts';
import { mayHaveArrived, uncertainSendOf } from '../session/send-reliably.ts';
import { showsAnsweredQuestion } from '../session/task-notice.ts';
import type { A2ATools } from '../tools/a2a-tools.ts';
import { tidyMessage, toolError, uncertainSend } from '../tools/tool-error.ts';
import type { ToolResult } from '../tools/tool.ts';
import { expiryOf, type StoredTask } from './mcp-task-store.ts';
import { elicitationOf } from './task-elicitation.ts';
import { contentOf, describeUpdate } from './tool-content.ts';

export interface TaskRunOptions {
  readonly tools: A2ATools;
  readonly onResult: (agentId: string, result: ToolResult) => void;
  /** A message that another process was sending when it ended. */
  readonly lostMessageId: string | undefined;
  /** Runs one change of the task at a time. */
  readonly exclusively: (work: () => Promise<void>) => Promise<void>;
  /** Resolves when the task is on disk. */
  readonly write: (task: StoredTask) => Promise<void>;
}

/** A single wait for an agent. Timers cannot be longer than 24 days, and connections rarely last that long. */
const MAX_WAIT_SECONDS = 60 * 60;
/** After so long without the agent, the host gets the error, with the id to try again. */
const UNREACHABLE_MILLISECONDS = 60 * 60 * 1000;
/** Whatever an agent asks for: a cancellation waits for the end of the pause. */
const MAX_PAUSE_MILLISECONDS = 30_000;
const CANCEL_SECONDS = 30;
const TRANSIENT: ReadonlySet<string> = new Set(['UNAVAILABLE', 'RESOURCE_EXHAUSTED']);
const INTERNAL_ERROR = -32603;

/**
 * The work of this process on one task of a host: sends its messages, follows the agent's task and stores what comes of it, until
 * the task ends, waits for its user, or expires.
 *
 * Responsible for sending a message once: it keeps its id, and is not sent again when the agent may have it and would take it
 * for another one. Each change is stored before it is visible.
 */
export class TaskRun {
  /** What the agent said last, and when. Not stored: after a restart the agent is asked again. */
  statusMessage: string | undefined;
  updatedAt: number | undefined;
  readonly #options: TaskRunOptions;
  readonly #stop = new AbortController();
  readonly #ended = Promise.withResolvers<void>();
  /** Ends the current wait for the agent. */
  #wait = new AbortController();
  /** A message is on its way, and the agent's task is not known yet. */
  #isSending = false;
  #task: StoredTask;

  constructor(task: StoredTask, options: TaskRunOptions) {
    this.#task = task;
    this.#options = options;
  }

  get task(): StoredTask {
    return this.#task;
  }

  /** Goes on with the task as its host has changed it, which is stored already. */
  accept(task: StoredTask): void {
    // A message that is on its way is not given up: without its answer, the agent's task is not known.
    if (this.#task.outgoing === undefined) this.#wait.abort();
    this.#task = task;
  }

  /** Resolves when nothing is done any more. The task stays as it is. */
  stop(): Promise<void> {
    this.#stop.abort();
    return this.#ended.promise;
  }

  async run(): Promise<void> {
    try {
      await this.#advance();
    } catch (error) {
      if (!this.#stop.signal.aborted) await this.#fail(error);
    } finally {
      this.#ended.resolve();
    }
  }

  async #advance(): Promise<void> {
    let failures = 0;
    let unreachableSince: number | undefined;
    while ((expiryOf(this.#task.taskId) ?? 0) > Date.now()) {
      try {
        if (await this.#step()) return;
        [failures, unreachableSince] = [0, undefined];
      } catch (thrown) {
        this.#stop.signal.throwIfAborted();
        if (thrown instanceof StorageError) throw thrown;
        if (this.#wait.signal.aborted) continue;
        const error = callFailure(thrown);
        const isTransient = isA2AError(error) && TRANSIENT.has(error.code);
        // The question stays open, and is compared again later.
        if (isTransient && this.#task.question !== undefined && this.#task.cancel !== 'requested') return;
        unreachableSince ??= Date.now();
        const isLost = Date.now() - unreachableSince > UNREACHABLE_MILLISECONDS;
        if (!isTransient || isLost || !this.#mayRepeat(error)) {
          await this.#complete(failureOf(error));
          return;
        }
        this.statusMessage = tidyMessage(quotedMessage(error));
        await pause(Math.min(MAX_PAUSE_MILLISECONDS, retryDelay(failures, error)), this.#stop.signal);
        failures += 1;
      }
    }
  }

  /** Returns whether there is nothing more to do for now. */
  async #step(): Promise<boolean> {
    this.#wait = new AbortController();
    this.#isSending = false;
    const { cancel, outgoing } = this.#task;
    if (outgoing !== undefined && outgoing.messageId === this.#options.lostMessageId) {
      const hasArrived = await this.#hasArrived();
      if (hasArrived === undefined) {
        return this.#complete(uncertainSend({ happened: STOPPED, message: outgoing, idempotent: false }));
      }
      if (hasArrived) await this.#change((task) => ({ ...task, outgoing: undefined }));
    }
    if (cancel === 'requested' && this.#task.outgoing === undefined) return this.#cancel();
    const answer = await this.#ask();
    // The user has answered while the agent was asked whether its question is still open.
    if (answer.kind === 'task' && this.#task.outgoing !== undefined) return false;
    return this.#settle(answer);
  }

  /** Sends the message that is due, or follows the agent's task. Resolves with what a tool would get. */
  async #ask(): Promise<V03Task | V03Message> {
    const { session } = this.#options.tools;
    const { agentId, outgoing, remote, pollSeconds: pollInterval } = this.#task;
    const signal = AbortSignal.any([this.#stop.signal, this.#wait.signal]);
    const onUpdate = (update: V03Event) => this.#see(update);
    const options = { signal, onUpdate, pollInterval, timeout: secondsLeft(this.#task) };
    if (outgoing === undefined) return session.getTask(agentId, remote?.taskId ?? '', options);
    const { parts, ...intent } = outgoing;
    this.#isSending = true;
    return session.sendMessage(agentId, parts, { ...options, ...intent });
  }

  /**
   * Whether the agent has a message that a process was sending when it ended: false if it can be sent again, undefined if that is
   * not known. An agent with the idempotency extension is simply sent it again. Others have it if they no longer ask the
   * question that it answers.
   */
  async #hasArrived(): Promise<boolean | undefined> {
    const { session } = this.#options.tools;
    const { agentId, answered, remote } = this.#task;
    const { signal } = this.#stop;
    const { extensions } = await session.agents.connect(agentId, signal);
    if (extensions.idempotency) return false;
    if (answered === undefined || remote === undefined) return undefined;
    const { status } = await session.getTask(agentId, remote.taskId, { signal, timeout: 1 });
    return markOf(status) !== answered.mark;
  }

  /**
   * Whether to try again after an agent could not be reached. A first message that has not arrived is left to the model, as
   * without tasks.
   */
  #mayRepeat(error: unknown): boolean {
    if (!this.#isSending || uncertainSendOf(error)?.idempotent === true) return true;
    return this.#task.answered !== undefined && !mayHaveArrived(error);
  }

  async #see(update: V03Event): Promise<void> {
    this.statusMessage = describeUpdate(update);
    this.updatedAt = Date.now();
    if (update.kind !== 'task' || this.#task.outgoing === undefined) return;
    const { id: taskId, contextId } = update;
    // From here on the message is not sent again, whatever happens to this process.
    await this.#change((task) => ({ ...task, outgoing: undefined, remote: { taskId, contextId } }));
    this.#isSending = false;
    if (this.#task.cancel === 'requested') this.#wait.abort();
  }

  /** What follows from the agent's answer. Returns whether there is nothing more to do for now. */
  async #settle(answer: V03Task | V03Message): Promise<boolean> {
    if (answer.kind === 'message') return this.#reply(answer);
    const { agentId, asking, question, answered, cancel } = this.#task;
    const { status } = answer;
    if (status.state === 'input-required' || status.state === 'auth-required') {
      // The agent has the answer, and is given more time to react to it.
      if (showsAnsweredQuestion(answer)) return hasTimedOut(this.#task) ? this.#reply(answer) : false;
      const mark = markOf(status);
      if (mark === question?.mark) return true;
      const isDeclined = answered?.isDeclined === true && answered.mark === mark;
      const asked = isDeclined ? undefined : elicitationOf(agentId, status, asking);
      if (asked === undefined) return this.#reply(answer);
      await this.#change((task) => {
        const questions = task.questions + 1;
        return {
          ...task,
          questions,
          question: { ...asked, key: `question-${questions}`, mark },
          changedAt: Date.now(),
        };
      });
      return this.#task.cancel !== 'requested';
    }
    if (status.state === 'canceled' && cancel !== undefined) return this.#end({ status: 'cancelled' });
    const isRunning = status.state === 'submitted' || status.state === 'working';
    return isRunning && !hasTimedOut(this.#task) ? false : this.#reply(answer);
  }

  /** Returns whether the task has ended. An agent that does not cancel keeps working, and is followed on. */
  async #cancel(): Promise<boolean> {
    const { agentId, remote } = this.#task;
    const options = { timeout: CANCEL_SECONDS, signal: this.#stop.signal };
    try {
      const { status } = await this.#options.tools.session.cancelTask(agentId, remote?.taskId ?? '', options);
      if (status.state === 'canceled') return await this.#end({ status: 'cancelled' });
    } catch (error) {
      if (!isA2AError(error) || TRANSIENT.has(error.code)) throw error;
    }
    await this.#change((task) => ({ ...task, cancel: 'refused' }));
    return false;
  }

  async #reply(answer: V03Task | V03Message): Promise<true> {
    return this.#complete(await this.#options.tools.replyTo(this.#task.agentId, answer));
  }

  async #complete(result: ToolResult): Promise<true> {
    this.#options.onResult(this.#task.agentId, result);
    return this.#end({ status: 'completed', result: contentOf(result) });
  }

  async #end(end: NonNullable<StoredTask['end']>): Promise<true> {
    const rest = { question: undefined, outgoing: undefined, changedAt: Date.now() };
    await this.#change((task) => ({ ...task, ...rest, end }));
    return true;
  }

  /** This server failed, not the agent and not the tool. */
  async #fail(reason: unknown): Promise<void> {
    const message =
      reason instanceof StorageError
        ? 'The task could not be stored, so it was not continued. Check the data folder of this server.'
        : 'The task was not continued because of an unexpected error in this server.';
    // If that cannot be stored either, the next request for the task continues it.
    await this.#end({ status: 'failed', error: { code: INTERNAL_ERROR, message } }).catch(() => {});
  }

  async #change(change: (task: StoredTask) => StoredTask): Promise<void> {
    await this.#options.exclusively(async () => {
      const next = change(this.#task);
      await this.#options.write(next).catch((error: unknown) => {
        throw new StorageError('A task could not be stored.', { cause: error });
      });
      this.#task = next;
    });
  }
}

class StorageError extends Error {}

/** Tells one question of a task from another. */
function markOf({ state, timestamp, message }: V03TaskStatus): string {
  return JSON.stringify([state, timestamp, message?.messageId]);
}

function hasTimedOut({ createdAt, timeoutSeconds = Infinity }: StoredTask): boolean {
  return Date.now() >= createdAt + timeoutSeconds * 1000;
}

/** How long to wait for the agent now: at least a second, so that a task is looked at whose time passed during a restart. */
function secondsLeft({ taskId, createdAt, timeoutSeconds = Infinity }: StoredTask): number {
  const end = Math.min(createdAt + timeoutSeconds * 1000, expiryOf(taskId) ?? 0);
  return Math.min(MAX_WAIT_SECONDS, Math.max(1, (end - Date.now()) / 1000));
}

const STOPPED = 'This server was stopped while the message was being sent.';

/** As tools report it, except that a message that is sent again by the model would be another one for the agent. */
function failureOf(error: unknown): ToolResult {
  const uncertain = uncertainSendOf(error);
  return uncertain === undefined ? toolError(error) : uncertainSend({ ...uncertain, idempotent: false });
}
