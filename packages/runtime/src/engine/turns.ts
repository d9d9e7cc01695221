import { setTimeout } from 'node:timers/promises';
import {
  A2AError,
  isTerminal,
  type JsonObject,
  type Message,
  type SendMessageConfiguration,
  type Task,
} from '@parley/protocol';
import type { Store, TaskHeader } from '@parley/store';
import type { Executor, Owner, Turn } from '../executors/executor.ts';
import type { Log } from '../log.ts';
import { ownerFromKey, ownerKey } from '../owner.ts';
import { readContextHistory } from './context-history.ts';
import { DirectAnswer } from './direct-answer.ts';
import { IdempotencyKeyTaken } from './journal-writer.ts';
import type { LiveTask } from './live-task.ts';
import type { LiveTasks } from './live-tasks.ts';
import { newId } from './new-id.ts';
import type { TurnRequest } from './task-fold.ts';
import type { TurnAbortReason } from './turn-abort.ts';
import { TurnQueue, type TurnTicket } from './turn-queue.ts';
import { abortTurn, runTurn } from './turn-runner.ts';

export interface TurnInput {
  owner: Owner;
  message: Message;
  configuration: SendMessageConfiguration;
  metadata: JsonObject;
  idempotency?: { key: string; payloadHash: string } | undefined;
  /** The caller takes a plain message for an answer. */
  mayAnswerDirectly: boolean;
}

/** A turn on its way: its task, or the message that made one unnecessary. */
export type StartedTurn =
  | { message: Message }
  /** `start` is the task when a further turn of it began; absent for a new task, whose first event is the task. */
  | { live: LiveTask; start?: { task: Task; sequence: number } };

export interface TurnsOptions {
  store: Store;
  executor: Executor;
  liveTasks: LiveTasks;
  log: Log;
  maxConcurrentTurns: number;
  maxQueuedTurns: number;
  maxAttempts: number;
}

interface PlannedTurn {
  live: LiveTask;
  ticket: TurnTicket;
  abort: AbortController;
  makeTurn: (attempt: number) => Turn;
  direct?: DirectAnswer | undefined;
  /** The message is on disk and work is said to have begun: nothing is left to wait for. */
  begun: boolean;
  /** An earlier process began this turn. */
  resumed: boolean;
}

interface RunningTurn extends PlannedTurn {
  done: Promise<void>;
}

const INTERRUPTED =
  'Interrupted: the server was stopped before the agent had finished. Send the message again.';
const WILL_RESUME = 'The server was stopped; the agent goes on when it is started again.';
const ABORT_PATIENCE_MILLISECONDS = 1_000;

/**
 * Starts turns and knows which ones run.
 *
 * Responsible for the order of things at a start: a place in the queue (J10), the message on disk, then the executor. A
 * submitted task has therefore never been worked on, and a restart may simply run it (J7).
 * Leaves the run itself to `runTurn`, and whether the sender may do this to the operations.
 */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #queue: TurnQueue;
  readonly #running = new Map<string, RunningTurn>();
  #stopping = false;

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#queue = new TurnQueue({
      maxRunning: options.maxConcurrentTurns,
      maxQueued: options.maxQueuedTurns,
    });
  }

  get activity(): { running: number; queued: number } {
    return { running: this.#queue.running, queued: this.#queue.queued };
  }

  /** Begins a new task. Rejects with IdempotencyKeyTaken when the same key came first. */
  async begin(input: TurnInput): Promise<StartedTurn> {
    this.#refuseWhenStopping();
    const { executor, liveTasks } = this.#options;
    const owner = ownerKey(input.owner);
    const taskId = newId();
    const contextId = input.message.contextId || newId();
    const message = { ...input.message, taskId, contextId };
    const ticket = this.#queue.enter(contextKey(owner, contextId));
    const live = liveTasks.begin(taskId, {
      contextId,
      owner,
      ...(input.idempotency && { idempotency: input.idempotency }),
    });
    const task: Task = {
      id: taskId,
      contextId,
      status: { state: 'TASK_STATE_SUBMITTED', timestamp: new Date().toISOString() },
      history: [message],
    };
    const create = (started: boolean): void => {
      live.writeCreated(task, sideOf(input));
      if (started) live.writeStatus('TASK_STATE_WORKING');
    };
    const abort = new AbortController();
    const makeTurn = (attempt: number): Turn =>
      this.#turn(live, abort, input, message, live.committed?.toTask() ?? task, attempt);
    const direct =
      input.mayAnswerDirectly && executor.answersDirectly?.(makeTurn(1)) === true
        ? new DirectAnswer(() => create(true))
        : undefined;
    if (direct === undefined) {
      create(ticket.startsNow);
      await this.#onDisk(live, ticket);
    }
    this.#run({ live, ticket, abort, direct, makeTurn, begun: ticket.startsNow, resumed: false });
    const answer = await direct?.decided;
    if (answer !== undefined) return { message: answer };
    if (direct !== undefined) await live.flushed();
    return { live };
  }

  /** Begins a further turn of a task that waits for its user, after the turns already waiting. */
  async continue(header: TaskHeader, input: TurnInput): Promise<StartedTurn> {
    this.#refuseWhenStopping();
    const ticket = this.#queue.enter(contextKey(header.owner, header.contextId));
    let live: LiveTask | undefined;
    try {
      await ticket.ready;
      this.#refuseWhenStopping();
      await this.#refuseKnownKey(header.owner, input);
      live = await this.#options.liveTasks.open(header);
      return await this.#continueLive(live, ticket, input);
    } catch (error) {
      ticket.leave();
      if (live !== undefined) this.#options.liveTasks.close(live);
      throw error;
    }
  }

  /** Runs the newest message of a task that an earlier process left behind. */
  async restart(header: TaskHeader, options: { resumed: boolean }): Promise<void> {
    const ticket = this.#queue.enter(contextKey(header.owner, header.contextId), { alreadyAccepted: true });
    let live: LiveTask;
    try {
      live = await this.#options.liveTasks.open(header);
    } catch (error) {
      ticket.leave();
      throw error;
    }
    const fold = live.committed;
    const message = fold?.history.findLast((candidate) => candidate.role === 'ROLE_USER');
    if (fold === undefined || message === undefined) throw new Error('The task has no message to run.');
    const { configuration = {}, metadata = {} } = fold.request;
    const input = {
      owner: ownerFromKey(header.owner),
      message,
      configuration,
      metadata,
      mayAnswerDirectly: false,
    };
    const abort = new AbortController();
    const task = fold.toTask();
    const makeTurn = (attempt: number): Turn => this.#turn(live, abort, input, message, task, attempt);
    this.#run({ live, ticket, abort, makeTurn, begun: false, resumed: options.resumed });
  }

  /** Tells the turn that runs or waits for the task; false if there is none here. */
  abort(taskId: string, reason: TurnAbortReason): boolean {
    const turn = this.#running.get(taskId);
    if (turn === undefined) return false;
    abortTurn(turn.abort, reason);
    if (!turn.begun) turn.ticket.leave();
    return true;
  }

  /**
   * Takes no more turns, waits for those that run, then aborts them and journals what became of them. Turns that wait
   * stay submitted: the next start runs them.
   */
  async stop(graceMilliseconds: number): Promise<void> {
    this.#stopping = true;
    const turns = [...this.#running.values()];
    for (const turn of turns) if (!turn.begun) this.abort(turn.live.taskId, 'stopped');
    const running = turns.filter((turn) => turn.begun);
    await Promise.race([Promise.all(running.map((turn) => turn.done)), pause(graceMilliseconds)]);
    await Promise.all(
      running
        .filter((turn) => this.#running.get(turn.live.taskId) === turn)
        .map((turn) => this.#interrupt(turn)),
    );
  }

  async #interrupt(turn: RunningTurn): Promise<void> {
    abortTurn(turn.abort, 'stopped');
    await Promise.race([turn.done, pause(ABORT_PATIENCE_MILLISECONDS)]);
    const state = turn.live.writtenState;
    if (state === undefined || isTerminal(state)) return;
    const resumable = this.#options.executor.resume !== undefined;
    const text = resumable ? WILL_RESUME : INTERRUPTED;
    if (state === 'TASK_STATE_WORKING' || state === 'TASK_STATE_SUBMITTED') {
      turn.live.writeStatus(
        resumable ? 'TASK_STATE_WORKING' : 'TASK_STATE_FAILED',
        { parts: [{ text }] },
        { releaseLease: true, metadata: { reason: 'interrupted' } },
      );
    }
    await turn.live.flushed().catch(() => {});
  }

  async #continueLive(live: LiveTask, ticket: TurnTicket, input: TurnInput): Promise<StartedTurn> {
    const message = { ...input.message, taskId: live.taskId, contextId: live.contextId };
    const idempotency = input.idempotency && { owner: live.ownerKey, ...input.idempotency };
    const written = live.writeStatus('TASK_STATE_WORKING', undefined, {
      side: { input: message, ...sideOf(input) },
      ...(idempotency && { idempotency }),
    });
    if (!written) throw endedTask(live);
    await live.flushed();
    const start = {
      task: (live.committed as NonNullable<typeof live.committed>).toTask(),
      sequence: live.committedSequence,
    };
    const abort = new AbortController();
    const makeTurn = (attempt: number): Turn => this.#turn(live, abort, input, message, start.task, attempt);
    this.#run({ live, ticket, abort, makeTurn, begun: true, resumed: false });
    return { live, start };
  }

  #run(plan: PlannedTurn): void {
    const turn: RunningTurn = { ...plan, done: Promise.resolve() };
    const { live, abort } = turn;
    const loseTask = (): void => abortTurn(abort, 'lost');
    live.lost.signal.addEventListener('abort', loseTask, { once: true });
    this.#running.set(live.taskId, turn);
    turn.done = this.#work(turn)
      .catch((error: unknown) => {
        this.#options.log.error('A turn could not be run.', { taskId: live.taskId, error: String(error) });
      })
      .finally(() => {
        this.#running.delete(live.taskId);
        live.lost.signal.removeEventListener('abort', loseTask);
        turn.direct?.abandon(stopping());
        turn.ticket.leave();
        this.#options.liveTasks.close(live);
      });
  }

  async #work(turn: RunningTurn): Promise<void> {
    if (!turn.begun && !(await this.#takePlace(turn))) return;
    const { executor, log, maxAttempts } = this.#options;
    await runTurn({ ...turn, turn: turn.makeTurn }, { executor, log, maxAttempts });
  }

  /** Waits for the turn's place and journals that work begins; false if it was aborted while it waited. */
  async #takePlace(turn: RunningTurn): Promise<boolean> {
    await turn.ticket.ready;
    if (turn.abort.signal.aborted) return false;
    turn.begun = true;
    if (turn.direct !== undefined) return true;
    if (!turn.live.writeStatus('TASK_STATE_WORKING')) return false;
    await turn.live.flushed();
    return true;
  }

  #turn(
    live: LiveTask,
    abort: AbortController,
    input: TurnInput,
    message: Message,
    task: Task,
    attempt: number,
  ): Turn {
    const { store } = this.#options;
    const { taskId, contextId } = live;
    return {
      taskId,
      contextId,
      message,
      task,
      configuration: input.configuration,
      metadata: input.metadata,
      owner: input.owner,
      mayAnswerDirectly: input.mayAnswerDirectly && !input.message.taskId,
      attempt,
      signal: abort.signal,
      contextHistory: (limit) =>
        readContextHistory(store, { owner: live.ownerKey, contextId, exceptTaskId: taskId }, limit),
    };
  }

  async #onDisk(live: LiveTask, ticket: TurnTicket): Promise<void> {
    try {
      await live.flushed();
    } catch (error) {
      ticket.leave();
      this.#options.liveTasks.close(live);
      throw error;
    }
  }

  async #refuseKnownKey(owner: string, input: TurnInput): Promise<void> {
    if (input.idempotency === undefined) return;
    const known = await this.#options.store.findIdempotencyKey(owner, input.idempotency.key);
    if (known !== undefined) throw new IdempotencyKeyTaken(known.taskId, known.payloadHash);
  }

  #refuseWhenStopping(): void {
    if (this.#stopping) throw stopping();
  }
}

function stopping(): A2AError {
  return new A2AError(
    'UNAVAILABLE',
    'The server is stopping and takes no more work. Try again in a few seconds.',
    {
      retryAfterSeconds: 5,
    },
  );
}

export function endedTask(task: { taskId: string; writtenState?: string | undefined }): A2AError {
  return new A2AError(
    'UNSUPPORTED_OPERATION',
    `Task ${task.taskId} has ended (${task.writtenState ?? 'final state'}) and takes no more messages. ` +
      'Send the message without taskId, with the same contextId, to begin a new task.',
  );
}

function contextKey(owner: string, contextId: string): string {
  return `${owner}\n${contextId}`;
}

/** Kept in the journal only where there is something to keep. */
function sideOf(input: TurnInput): { request: TurnRequest } | undefined {
  const request: TurnRequest = {};
  if (Object.keys(input.configuration).length > 0) request.configuration = input.configuration;
  if (Object.keys(input.metadata).length > 0) request.metadata = input.metadata;
  return Object.keys(request).length > 0 ? { request } : undefined;
}

async function pause(milliseconds: number): Promise<void> {
  await setTimeout(milliseconds, undefined, { ref: false });
}
