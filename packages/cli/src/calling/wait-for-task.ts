import { isStillAsking, isTransient, retryDelay } from '@holdword/client/internal';
import { isA2AError, isInterrupted, isTerminal, type TaskState, type TaskStatus } from '@holdword/protocol';
import { asObject, pause } from '@holdword/protocol/internal';
import type { CalledAgent } from './called-agent.ts';
import { SeenTask, type NewEvent } from './seen-task.ts';
import { stateOf } from './task-text.ts';

export interface WaitOptions {
  readonly pollMilliseconds: number;
  /** Nobody waits any longer. */
  readonly signal: AbortSignal;
  /** Called for everything new; without it, nobody looks at events. */
  readonly onEvent?: (event: NewEvent) => void;
  /** Called when the connection was lost, and when it is back. */
  readonly onConnection?: (isLost: boolean) => void;
  /** What has been shown of the task. */
  readonly seen?: SeenTask | undefined;
  /** The task as it was when its question was answered. */
  readonly answered?: unknown;
  /** Whether a question that is there already was seen: then the next one is waited for. */
  readonly passesQuestion?: boolean;
}

/**
 * Whether nothing more happens by itself: the task has ended, or waits for its user. An unknown state is neither. Some agents
 * show the question for a while after it was answered: that is no new one.
 */
export function isSettled(task: unknown, answered?: unknown): boolean {
  const state = stateOf(task) as TaskState;
  if (isTerminal(state)) return true;
  if (!isInterrupted(state)) return false;
  return answered === undefined || !isStillAsking(statusOf(answered), statusOf(task));
}

function statusOf(task: unknown): TaskStatus {
  return asObject(asObject(task)['status']) as unknown as TaskStatus;
}

/**
 * Waits until a task has ended or waits for its user: on the agent's stream, or by asking now and then if it has none. A stream
 * that breaks is opened again. Resolves with the whole task; if events are looked at, perhaps with its ids and status only.
 */
export function waitForTask(agent: CalledAgent, taskId: string, options: WaitOptions): Promise<unknown> {
  return new Follower(agent, taskId, options).run();
}

const LONGEST_POLL_FACTOR = 8;

class Follower {
  readonly #agent: CalledAgent;
  readonly #taskId: string;
  readonly #options: WaitOptions;
  readonly #seen: SeenTask;
  #answered: unknown;
  #isFirst = true;
  #isLost = false;
  /** The agent has a stream for this task. */
  #streams: boolean;

  constructor(agent: CalledAgent, taskId: string, options: WaitOptions) {
    this.#agent = agent;
    this.#taskId = taskId;
    this.#options = options;
    this.#answered = options.answered;
    this.#seen = options.seen ?? new SeenTask(agent);
    this.#streams = agent.streams;
  }

  async run(): Promise<unknown> {
    const { pollMilliseconds, onEvent } = this.#options;
    let interval = pollMilliseconds;
    let failures = 0;
    let last: string | undefined;
    for (;;) {
      try {
        const settled = this.#streams ? await this.#followStream() : undefined;
        if (settled !== undefined && onEvent !== undefined) return settled;
        const task = await this.#agent.call('getTask', { id: this.#taskId }, this.#options.signal);
        this.#noteConnection(false);
        this.#take({ json: { task } }, task);
        if (isSettled(task, this.#answered)) return task;
        const state = stateOf(task);
        interval =
          state === last
            ? Math.min(interval * 1.5, pollMilliseconds * LONGEST_POLL_FACTOR)
            : pollMilliseconds;
        last = state;
        await this.#pause(this.#streams ? retryDelay(failures) : interval);
        failures = this.#streams ? failures + 1 : 0;
      } catch (error) {
        this.#options.signal.throwIfAborted();
        if (!isTransient(error)) throw error;
        this.#noteConnection(true);
        await this.#pause(retryDelay(failures, error));
        failures += 1;
      }
    }
  }

  /** Reads one subscription. Resolves with what it said last if the task is settled by it. */
  async #followStream(): Promise<unknown> {
    const { sequence } = this.#seen;
    try {
      const frames = this.#agent.stream(
        'subscribeToTask',
        { id: this.#taskId },
        { signal: this.#options.signal, ...(sequence !== undefined && { resumeAfter: sequence }) },
      );
      for await (const frame of frames) {
        this.#noteConnection(false);
        const [content] = Object.values(asObject(frame.json));
        this.#take(frame, content);
        if (this.#seen.isGapped) return undefined;
        if (isSettled(content, this.#answered)) return this.#endOf(content);
      }
    } catch (error) {
      this.#options.signal.throwIfAborted();
      if (isTransient(error)) throw error;
      if (isA2AError(error) && error.code === 'INVALID_PARAMS' && sequence !== undefined)
        this.#seen.forgetSequence();
      // It has ended meanwhile, or does not stream after all: agents have several errors for that, so the task is asked for.
      else this.#streams = false;
    }
    return undefined;
  }

  #endOf(content: unknown): unknown {
    const { contextId = '', status } = asObject(content);
    return { id: this.#taskId, contextId, status };
  }

  #take(frame: Parameters<SeenTask['take']>[0], content: unknown): void {
    const isFirst = this.#isFirst;
    this.#isFirst = false;
    if (isFirst && this.#options.passesQuestion === true && isInterrupted(stateOf(content) as TaskState)) {
      this.#answered = content;
    }
    const event = this.#seen.take(frame);
    if (event !== undefined) this.#options.onEvent?.(event);
  }

  #noteConnection(isLost: boolean): void {
    if (isLost !== this.#isLost) this.#options.onConnection?.(isLost);
    this.#isLost = isLost;
  }

  async #pause(milliseconds: number): Promise<void> {
    await pause(milliseconds, this.#options.signal);
    this.#options.signal.throwIfAborted();
  }
}
