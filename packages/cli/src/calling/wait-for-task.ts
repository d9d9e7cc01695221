import { isConnectionError } from '@holdword/net/internal';
import { isA2AError, isInterrupted, isTerminal, type TaskState } from '@holdword/protocol';
import { asObject, ERROR_TABLE, pause } from '@holdword/protocol/internal';
import { CallError } from './call-errors.ts';
import type { CalledAgent } from './called-agent.ts';
import { resumeCommand } from './task-advice.ts';
import { stateOf } from './task-text.ts';

export interface WaitOptions {
  readonly pollMilliseconds: number;
  /** In milliseconds since the epoch. */
  readonly until: number;
  /** The user wants to stop waiting. */
  readonly signal: AbortSignal;
  /** Called for every event; without it, nobody looks at them. */
  readonly onEvent?: (event: unknown) => void;
  /** The number of the last event that was received, if the agent numbers them. */
  readonly sequence?: number | undefined;
}

/** Whether nothing more happens by itself: the task has ended, or waits for its user. An unknown state is neither. */
export function isSettled(state: string): boolean {
  return isTerminal(state as TaskState) || isInterrupted(state as TaskState);
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
  if (agent.streams) await follower.followStream();
  return follower.poll();
}

const LONGEST_POLL_FACTOR = 8;

class Follower {
  readonly #agent: CalledAgent;
  readonly #taskId: string;
  readonly #options: WaitOptions;
  readonly #signal: AbortSignal;
  #sequence: number | undefined;

  constructor(agent: CalledAgent, taskId: string, options: WaitOptions) {
    this.#agent = agent;
    this.#taskId = taskId;
    this.#options = options;
    this.#sequence = options.sequence;
    const left = Math.max(1, options.until - Date.now());
    this.#signal = AbortSignal.any([options.signal, AbortSignal.timeout(left)]);
  }

  /** Resolves when the stream says that the task is settled, or when polling has to take over. */
  async followStream(): Promise<void> {
    const { onEvent } = this.#options;
    let failures = 0;
    while (failures < 3) {
      try {
        const frames = this.#agent.stream(
          'subscribeToTask',
          { id: this.#taskId },
          {
            signal: this.#signal,
            ...(this.#sequence !== undefined && this.#agent.resumes && { resumeAfter: this.#sequence }),
          },
        );
        for await (const { json, id } of frames) {
          failures = 0;
          if (id !== undefined && /^\d{1,15}$/.test(id)) this.#sequence = Number(id);
          onEvent?.(json);
          const [content] = Object.values(asObject(json));
          if (isSettled(stateOf(content))) return;
        }
        failures += 1;
      } catch (error) {
        this.#throwIfOver();
        if (!isTransient(error)) return;
        failures += 1;
      }
      await this.#pause(this.#options.pollMilliseconds);
    }
  }

  async poll(): Promise<unknown> {
    const { pollMilliseconds, onEvent } = this.#options;
    let interval = pollMilliseconds;
    let last: string | undefined;
    for (;;) {
      try {
        const task = await this.#agent.call('getTask', { id: this.#taskId }, this.#signal);
        const state = stateOf(task);
        if (isSettled(state)) return task;
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
    await pause(milliseconds, this.#signal);
    this.#throwIfOver();
  }

  #throwIfOver(): void {
    this.#options.signal.throwIfAborted();
    if (Date.now() < this.#options.until) return;
    throw new CallError(
      'A2ACLI_ERR_TIMEOUT',
      `Task ${this.#taskId} has not ended within the time. It goes on.`,
      `Wait for it: ${resumeCommand(this.#agent, this.#taskId)}`,
    );
  }
}

function isTransient(error: unknown): boolean {
  return isConnectionError(error) || (isA2AError(error) && ERROR_TABLE[error.code].retry);
}
