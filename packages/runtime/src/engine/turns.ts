import { setTimeout } from 'node:timers/promises';
import type { JsonObject, Message, SendMessageConfiguration, Task } from '@parley/protocol';
import type { Store, TaskHeader } from '@parley/store';
import type { Executor, Owner, Turn } from '../executors/executor.ts';
import type { Log } from '../log.ts';
import { ownerFromKey, ownerKey } from '../owner.ts';
import { readContextHistory } from './context-history.ts';
import { DirectAnswer } from './direct-answer.ts';
import { interruptTask } from './interrupt-task.ts';
import { IdempotencyKeyTaken } from './journal-writer.ts';
import type { LiveTask } from './live-task.ts';
import type { LiveTasks } from './live-tasks.ts';
import { newId } from './new-id.ts';
import type { TurnRequest } from './task-fold.ts';
import { TurnAborted, type TurnAbortReason } from './turn-abort.ts';
import { TurnQueue, type TurnTicket } from './turn-queue.ts';
import { endedTask, serverStopping } from './turn-refusals.ts';
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
  /** The turn has its place and work is said to have begun: only the disk is left to wait for. */
  begun: boolean;
  /** Where the journal stood when the turn was planned, if it must not run once the task has moved on. */
  plannedAt?: number;
  /** An earlier process began this turn. */
  resumed: boolean;
}

interface RunningTurn extends PlannedTurn {
  done: Promise<void>;
}

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
  /** Places of follow-ups that wait and are not on disk. */
  readonly #waiting = new Set<TurnTicket>();
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

  get stopping(): boolean {
    return this.#stopping;
  }

  /** Begins a new task. Rejects with IdempotencyKeyTaken when the same key came first. */
  async begin(input: TurnInput): Promise<StartedTurn> {
    this.#refuseWhenStopping();
    const owner = ownerKey(input.owner);
    const taskId = newId();
    const contextId = input.message.contextId || newId();
    const message = { ...input.message, taskId, contextId };
    const ticket = this.#queue.enter(contextKey(owner, contextId));
    const live = this.#options.liveTasks.begin(taskId, {
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
      input.mayAnswerDirectly && this.#answersDirectly(makeTurn(1))
        ? new DirectAnswer(() => create(true))
        : undefined;
    if (direct === undefined) create(ticket.startsNow);
    this.#run({ live, ticket, abort, direct, makeTurn, begun: ticket.startsNow, resumed: false });
    const answer = await direct?.decided;
    if (answer !== undefined) return { message: answer };
    await live.flushed();
    return { live };
  }

  /** Begins a further turn of a task that waits for its user, after the turns already waiting. */
  async continue(header: TaskHeader, input: TurnInput): Promise<StartedTurn> {
    this.#refuseWhenStopping();
    const ticket = this.#queue.enter(contextKey(header.owner, header.contextId));
    let live: LiveTask | undefined;
    try {
      await this.#placeOf(ticket);
      await this.#refuseKnownKey(header.owner, input);
      live = await this.#options.liveTasks.open(header);
      this.#refuseWhenStopping();
      this.#continueLive(live, ticket, input);
    } catch (error) {
      this.#withdraw(ticket, live);
      throw error;
    }
    await live.flushed();
    const task = (live.committed as NonNullable<typeof live.committed>).toTask();
    return { live, start: { task, sequence: live.committedSequence } };
  }

  /** Runs the newest message of a task that an earlier process left behind, unless the task has moved on since. */
  async restart(header: TaskHeader, options: { resumed: boolean }): Promise<void> {
    const ticket = this.#queue.enter(contextKey(header.owner, header.contextId), { alreadyAccepted: true });
    let live: LiveTask | undefined;
    try {
      live = await this.#options.liveTasks.open(header);
      if (this.#stopping || live.writtenState !== header.state) this.#withdraw(ticket, live);
      else this.#restartLive(live, ticket, options.resumed);
    } catch (error) {
      this.#withdraw(ticket, live);
      throw error;
    }
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
    for (const ticket of this.#waiting) ticket.leave();
    const turns = [...this.#running.values()];
    const running = turns.filter((turn) => turn.begun);
    for (const turn of turns) if (!turn.begun) this.abort(turn.live.taskId, 'stopped');
    await Promise.race([Promise.all(running.map((turn) => turn.done)), pause(graceMilliseconds)]);
    await Promise.all(turns.map((turn) => (turn.begun ? this.#interrupt(turn) : turn.done)));
  }

  async #interrupt(turn: RunningTurn): Promise<void> {
    abortTurn(turn.abort, 'stopped');
    await Promise.race([turn.done, pause(ABORT_PATIENCE_MILLISECONDS)]);
    if (this.#running.get(turn.live.taskId) !== turn) return;
    // The executor does not heed its signal: nobody waits for it any longer.
    this.#running.delete(turn.live.taskId);
    turn.direct?.abandon(serverStopping());
    await interruptTask(turn.live, this.#resumable);
    this.#options.liveTasks.abandon(turn.live);
  }

  #continueLive(live: LiveTask, ticket: TurnTicket, input: TurnInput): void {
    const message = { ...input.message, taskId: live.taskId, contextId: live.contextId };
    const idempotency = input.idempotency && { owner: live.ownerKey, ...input.idempotency };
    const written = live.writeStatus('TASK_STATE_WORKING', undefined, {
      side: { input: message, ...sideOf(input) },
      ...(idempotency && { idempotency }),
    });
    if (!written) throw endedTask(live);
    this.#runLive(live, ticket, input, message, { begun: true, resumed: false });
  }

  #restartLive(live: LiveTask, ticket: TurnTicket, resumed: boolean): void {
    const { history, request } = live.committed as NonNullable<typeof live.committed>;
    const message = history.findLast((candidate) => candidate.role === 'ROLE_USER');
    if (message === undefined) throw new Error('The task has no message to run.');
    const input: TurnInput = {
      owner: ownerFromKey(live.ownerKey),
      message,
      configuration: request.configuration ?? {},
      metadata: request.metadata ?? {},
      mayAnswerDirectly: false,
    };
    const plannedAt = live.committedSequence;
    this.#runLive(live, ticket, input, message, { begun: false, resumed, plannedAt });
  }

  #runLive(
    live: LiveTask,
    ticket: TurnTicket,
    input: TurnInput,
    message: Message,
    plan: Pick<PlannedTurn, 'begun' | 'resumed' | 'plannedAt'>,
  ): void {
    const abort = new AbortController();
    const makeTurn = (attempt: number): Turn => {
      const task = (live.committed as NonNullable<typeof live.committed>).toTask();
      return this.#turn(live, abort, input, message, task, attempt);
    };
    this.#run({ ...plan, live, ticket, abort, makeTurn });
  }

  #run(plan: PlannedTurn): void {
    const turn: RunningTurn = { ...plan, done: Promise.resolve() };
    const { live, abort } = turn;
    const loseTask = (): void => abortTurn(abort, 'lost');
    live.lost.signal.addEventListener('abort', loseTask, { once: true });
    this.#running.set(live.taskId, turn);
    turn.done = this.#work(turn)
      .catch((error: unknown) => {
        if (error instanceof IdempotencyKeyTaken) return;
        this.#options.log.error('A turn could not be run.', { taskId: live.taskId, error: String(error) });
      })
      .finally(() => {
        this.#running.delete(live.taskId);
        live.lost.signal.removeEventListener('abort', loseTask);
        turn.direct?.abandon(serverStopping());
        this.#withdraw(turn.ticket, live);
      });
  }

  async #work(turn: RunningTurn): Promise<void> {
    const { live, abort } = turn;
    if (this.#startsAfterCommit(turn)) await live.flushed();
    if (!turn.begun && !(await this.#takePlace(turn))) return;
    const { executor, log, maxAttempts } = this.#options;
    await runTurn({ ...turn, turn: turn.makeTurn }, { executor, log, maxAttempts });
    const { reason }: { reason: unknown } = abort.signal;
    if (reason instanceof TurnAborted && reason.reason === 'stopped')
      await interruptTask(live, this.#resumable);
  }

  /** First the message on disk: nothing is worked on that a crash could forget, unless forgetting it is harmless. */
  #startsAfterCommit({ direct, live }: RunningTurn): boolean {
    if (direct !== undefined) return false;
    const isNew = live.committed === undefined;
    return !(isNew && this.#options.executor.withoutEffects === true);
  }

  /** Waits for the turn's place and journals that work begins; false if it was aborted while it waited. */
  async #takePlace(turn: RunningTurn): Promise<boolean> {
    await turn.ticket.ready;
    if (turn.abort.signal.aborted) return false;
    if (turn.plannedAt !== undefined && turn.plannedAt !== turn.live.committedSequence) return false;
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

  get #resumable(): boolean {
    return this.#options.executor.resume !== undefined;
  }

  #answersDirectly(turn: Turn): boolean {
    try {
      return this.#options.executor.answersDirectly?.(turn) === true;
    } catch (error) {
      this.#options.log.error('The agent failed to say whether it answers directly; it gets a task.', {
        error: String(error),
      });
      return false;
    }
  }

  /** Waits for the place of a follow-up. It was not accepted yet, so that a stop refuses it. */
  async #placeOf(ticket: TurnTicket): Promise<void> {
    this.#waiting.add(ticket);
    await ticket.ready;
    this.#waiting.delete(ticket);
    this.#refuseWhenStopping();
  }

  #withdraw(ticket: TurnTicket, live: LiveTask | undefined): void {
    ticket.leave();
    if (live !== undefined) this.#options.liveTasks.close(live);
  }

  async #refuseKnownKey(owner: string, input: TurnInput): Promise<void> {
    if (input.idempotency === undefined) return;
    const known = await this.#options.store.findIdempotencyKey(owner, input.idempotency.key);
    if (known !== undefined) throw new IdempotencyKeyTaken(known.taskId, known.payloadHash);
  }

  #refuseWhenStopping(): void {
    if (this.#stopping) throw serverStopping();
  }
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
