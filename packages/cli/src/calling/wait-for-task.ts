import { isStillAsking } from '@holdword/client/internal';
import { isConnectionError } from '@holdword/net/internal';
import { isA2AError, isInterrupted, isTerminal, type TaskState, type TaskStatus } from '@holdword/protocol';
import { asObject, ERROR_TABLE, pause } from '@holdword/protocol/internal';
import type { CalledAgent } from './called-agent.ts';
import { stateOf } from './task-text.ts';

export interface WaitOptions {
  readonly pollMilliseconds: number;
  /** Nobody waits any longer. */
  readonly signal: AbortSignal;
  /** Called for every event; without it, nobody looks at them. */
  readonly onEvent?: (event: unknown) => void;
  /** The number of the last event that was received, if the agent numbers them. */
  readonly sequence?: number | undefined;
  /** The task as it was when its question was answered. */
  readonly answered?: unknown;
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
 * Waits until a task has ended or waits for its user: on the agent's stream, or by asking now and then if it has none or if it
 * breaks. Resolves with the whole task.
 */
export async function waitForTask(
  agent: CalledAgent,
  taskId: string,
  options: WaitOptions,
): Promise<unknown> {
  const follower = new Follower(agent, taskId, options);
  const isShown = agent.streams && (await follower.followStream());
  const task = await follower.poll();
  if (!isShown) options.onEvent?.({ task });
  return task;
}

const LONGEST_POLL_FACTOR = 8;
/** So many streams in a row without progress, and the agent is asked instead. */
const MOST_FAILURES = 3;

class Follower {
  readonly #agent: CalledAgent;
  readonly #taskId: string;
  readonly #options: WaitOptions;
  #sequence: number | undefined;

  constructor(agent: CalledAgent, taskId: string, options: WaitOptions) {
    this.#agent = agent;
    this.#taskId = taskId;
    this.#options = options;
    this.#sequence = options.sequence;
  }

  /** Resolves with whether the stream said that the task is settled; otherwise polling has to take over. */
  async followStream(): Promise<boolean> {
    const { onEvent, signal, answered } = this.#options;
    let failures = 0;
    while (failures < MOST_FAILURES) {
      let events = 0;
      try {
        const frames = this.#agent.stream(
          'subscribeToTask',
          { id: this.#taskId },
          {
            signal,
            ...(this.#sequence !== undefined && this.#agent.resumes && { resumeAfter: this.#sequence }),
          },
        );
        for await (const { json, id } of frames) {
          events += 1;
          if (id !== undefined && /^\d{1,15}$/.test(id)) this.#sequence = Number(id);
          onEvent?.(json);
          const [content] = Object.values(asObject(json));
          if (isSettled(content, answered)) return true;
        }
      } catch (error) {
        this.#throwIfOver();
        if (!isTransient(error)) return false;
      }
      // A stream begins with the task; whatever follows is progress.
      failures = events > 1 ? 0 : failures + 1;
      await this.#pause(this.#options.pollMilliseconds);
    }
    return false;
  }

  async poll(): Promise<unknown> {
    const { pollMilliseconds, onEvent, signal, answered } = this.#options;
    let interval = pollMilliseconds;
    let last: string | undefined;
    for (;;) {
      try {
        const task = await this.#agent.call('getTask', { id: this.#taskId }, signal);
        const state = stateOf(task);
        if (isSettled(task, answered)) return task;
        if (last !== undefined && state !== last) {
          interval = pollMilliseconds;
          onEvent?.({ task });
        }
        last = state;
      } catch (error) {
        this.#throwIfOver();
        if (!isTransient(error)) throw error;
      }
      await this.#pause(interval);
      interval = Math.min(interval * 1.5, pollMilliseconds * LONGEST_POLL_FACTOR);
    }
  }

  async #pause(milliseconds: number): Promise<void> {
    await pause(milliseconds, this.#options.signal);
    this.#throwIfOver();
  }

  #throwIfOver(): void {
    this.#options.signal.throwIfAborted();
  }
}

function isTransient(error: unknown): boolean {
  return isConnectionError(error) || (isA2AError(error) && ERROR_TABLE[error.code].retry);
}
