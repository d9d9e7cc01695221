import type { JsonObject, Message, SendMessageConfiguration, Task } from '@holdword/protocol';
import { Deadline, pause } from '@holdword/protocol/internal';
import type { Store, TaskHeader } from '@holdword/store';
import type { Executor } from '../executors/executor.ts';
import { isoTime, newId } from '../ids-and-times.ts';
import type { Log } from '../log.ts';
import type { TurnActivity } from '../observe/metrics.ts';
import type { Observer } from '../observe/observer.ts';
import type { TraceContext } from '../observe/tracing.ts';
import { contextKey, identityOf, type Owner, ownerFromKey, ownerKey } from '../owner.ts';
import { acquireContext, ContextsHere } from './context-lock.ts';
import { requestOf, type Takeover } from './event-codec.ts';
import { readyInGeneration, rejectMoved, requireGeneration } from './generation-guard.ts';
import type { LiveTask } from './live-task.ts';
import type { LiveTasks } from './live-tasks.ts';
import { makeTurn, TurnAbort, type TurnSource } from './run-turn.ts';
import { RunningTurns, type TurnPlan } from './running-turns.ts';
import type { TaskFold } from './task-fold.ts';
import type { TaskReader } from './task-reader.ts';
import {
  busyTask,
  endedTask,
  IdempotencyKeyTaken,
  isHeldElsewhere,
  rejectingLarge,
  serverStopping,
} from './turn-errors.ts';
import { type TurnGroup, TurnQueue, type TurnTicket } from './turn-queue.ts';
import { DirectAnswer } from './turn-sink.ts';

export interface TurnInput {
  owner: Owner;
  /** The id of a new task, if it has to be known beforehand. Generated unless given. */
  taskId?: string;
  message: Message;
  /** Adds to a new task what it has before its message. */
  begunAs?: ((task: Task) => Task) | undefined;
  configuration: SendMessageConfiguration;
  metadata: JsonObject;
  idempotency?: { key: string; payloadHash: string } | undefined;
  /** The only generation of an existing task in which it accepts the message. */
  ifGenerationMatch?: number | undefined;
  trace?: TraceContext | undefined;
  /** Rejects if the caller may not continue the task any more, after the message has waited for its turn. */
  mayContinue?: (() => Promise<void>) | undefined;
  /** The caller accepts a plain message instead of a task. */
  mayAnswerDirectly: boolean;
}

/** A started turn and its task, which is on disk. */
export interface StartedTurn {
  live: LiveTask;
  /** The task at the start of a follow-up turn. Absent for a new task, whose first event is the task. */
  start?: { task: Task; sequence: number };
  /** Set if the turn may end in a plain message; the caller is shown the task only if it does not. */
  direct?: DirectAnswer | undefined;
}

export interface TurnsOptions {
  store: Store;
  /** This process, as the store identifies it. */
  holder: string;
  executor: Executor;
  liveTasks: LiveTasks;
  reader: Pick<TaskReader, 'movedBeyond' | 'settled' | 'view'>;
  log: Log;
  observer: Observer;
  maxConcurrentTurns: number;
  maxQueuedTurns: number;
  /** How much of both is kept for callers who use little of it. */
  reservedPercent: number;
  /** Assigns the turns of an owner to a group with its own limit. */
  turnGroupOf?: ((owner: Owner) => TurnGroup | undefined) | undefined;
  maxAttempts: number;
}

/** A task's turn may have ended a moment before its process releases the lease. */
const RELEASE_MILLISECONDS = 100;
/** How long a caller who wants an immediate response waits for the context. */
const IMMEDIATE_MILLISECONDS = 500;

/**
 * Starts turns: of new tasks, of tasks that wait for their user, and of tasks that an earlier process left behind.
 *
 * Responsible for the order of steps: a slot in the queue (J10), the message on disk, then the executor, unless the
 * executor declares that it may start earlier. A submitted task has therefore never been worked on, and a restart can
 * simply run it (J7). Leaves the run and its end to RunningTurns, and permission checks to the operations.
 */
export class Turns {
  readonly #options: TurnsOptions;
  readonly #queue: TurnQueue;
  readonly #running: RunningTurns;
  /** Tickets of follow-ups that wait and are not on disk yet. */
  readonly #waiting = new Set<TurnTicket>();
  readonly #stop = new AbortController();
  /** Tasks that are being opened to be restarted. */
  readonly #restarting = new Set<string>();
  readonly #contexts = new ContextsHere();

  constructor(options: TurnsOptions) {
    this.#options = options;
    this.#running = new RunningTurns(options);
    this.#queue = new TurnQueue({
      maxRunning: options.maxConcurrentTurns,
      maxQueued: options.maxQueuedTurns,
      reservedPercent: options.reservedPercent,
    });
  }

  get activity(): { running: number; queued: number } {
    return { running: this.#queue.running, queued: this.#queue.queued };
  }

  /** How the callers share the slots and the queue. */
  get shares(): Omit<TurnActivity, 'running' | 'queued'> {
    const { count: callers, mostRunning, mostWaiting: mostQueued } = this.#queue.callers;
    return { callers, mostRunning, mostQueued };
  }

  get stopping(): boolean {
    return this.#stop.signal.aborted;
  }

  /** Starts a new task. Rejects with IdempotencyKeyTaken if the key is already in use. */
  async begin(input: TurnInput): Promise<StartedTurn> {
    this.#rejectWhenStopping();
    const owner = ownerKey(input.owner);
    const taskId = input.taskId ?? newId();
    const knownContextId = input.message.contextId || this.#options.executor.defaultContextId;
    const contextId = knownContextId || newId();
    const message = { ...input.message, taskId, contextId };
    const ticket = this.#enter(contextKey(owner, contextId), input.owner);
    const live = this.#options.liveTasks.begin(taskId, { contextId, owner, idempotency: input.idempotency });
    const status = { state: 'TASK_STATE_SUBMITTED', timestamp: isoTime() } as const;
    const empty: Task = { id: taskId, contextId, status, history: [message] };
    const task = input.begunAs?.(empty) ?? empty;
    const source = this.#sourceOf(live, input, message, task);
    const direct = input.mayAnswerDirectly ? this.#answersDirectly(source, input) : undefined;
    source.direct = direct;
    // Among processes that share a store, another one may work in a context that existed before the message.
    const waits = this.#options.store.isShared && Boolean(knownContextId);
    const startsNow = ticket.startsNow && !waits;
    try {
      live.writeCreated(task, { internal: requestOf(input) });
      if (startsNow) live.writeStatus('TASK_STATE_WORKING');
    } catch (error) {
      // The message cannot be encoded as JSON.
      this.#release(ticket, live);
      throw error;
    }
    this.#running.run({
      source,
      ticket,
      begun: startsNow,
      acquireContext: waits ? () => this.#acquireContext(live, source.abort.signal) : undefined,
      resumed: false,
      trace: input.trace,
    });
    await live.flushed();
    return { live, direct };
  }

  /**
   * Starts a follow-up turn of a task that waits for its user, after the turns that already wait. A caller who does not
   * want to wait is rejected if there are any.
   */
  async continue(header: TaskHeader, input: TurnInput): Promise<StartedTurn> {
    this.#rejectWhenStopping();
    const mayWait = input.configuration.returnImmediately !== true;
    const ticket = this.#enter(contextKey(header.owner, header.contextId), input.owner);
    let live: LiveTask | undefined;
    let releaseContext: (() => void) | undefined;
    try {
      if (!mayWait && !ticket.startsNow) await this.#rejectBusy(header, input);
      await this.#waitForSlot(ticket, header, input);
      await this.#rejectKnownKey(header.owner, input);
      // The task first: the process that holds it may be waiting for the context.
      live = await this.#openWhenFree(header, input);
      if (this.#options.store.isShared) {
        using deadline = new Deadline(mayWait ? Infinity : IMMEDIATE_MILLISECONDS);
        const patience = AbortSignal.any([this.#stop.signal, deadline.signal]);
        releaseContext = await this.#acquireContext(live, patience);
        if (releaseContext === undefined) throw this.stopping ? serverStopping() : busyTask(header);
      }
      if (input.mayContinue !== undefined) await input.mayContinue();
      this.#rejectWhenStopping();
      this.#continueLive(live, ticket, input, releaseContext);
    } catch (error) {
      releaseContext?.();
      this.#release(ticket, live);
      throw error;
    }
    await live.flushed();
    const task = this.#options.reader.view(live.committed as TaskFold);
    return { live, start: { task, sequence: live.committedSequence } };
  }

  /**
   * Runs the newest message of a task that an earlier process left behind, unless the task has changed since. With `force`,
   * that process lives, and notices by what is written here that it has lost the task.
   */
  async restart(
    header: TaskHeader,
    { resumed, force = false }: { resumed: boolean; force?: boolean },
  ): Promise<void> {
    const { taskId, owner, contextId, state } = header;
    const { store, liveTasks, holder } = this.#options;
    // A turn behind this one in the queue may wait for it already.
    const lane = contextKey(owner, contextId);
    const ticket = this.#enter(store.isShared ? `${lane} ${taskId}` : lane, ownerFromKey(owner), {
      alreadyAccepted: true,
    });
    let live: LiveTask | undefined;
    this.#restarting.add(taskId);
    try {
      live = await liveTasks.open(header, { force });
      const isSame = !this.stopping && live.writtenState === state;
      const takeover: Takeover = { process: holder, how: resumed ? 'resumed' : 'started-again' };
      if (isSame && force && live.writeStatus(state, undefined, { internal: { takeover } }))
        await live.flushed();
      if (isSame) this.#restartLive(live, ticket, { resumed, takeover, isTakenOver: force });
      else this.#release(ticket, live);
    } catch (error) {
      this.#release(ticket, live);
      throw error;
    } finally {
      this.#restarting.delete(taskId);
    }
  }

  /** The task was canceled: ends its turn, if one runs or waits here, and lets the agent free what it keeps for it. */
  cancel(taskId: string): void {
    this.#running.abort(taskId, 'canceled');
    this.#options.executor.release?.(taskId);
  }

  /** Accepts no more turns, and ends those that are here. */
  async stop(graceMilliseconds: number): Promise<void> {
    this.#stop.abort();
    for (const ticket of this.#waiting) ticket.release();
    await this.#running.stop(graceMilliseconds);
  }

  #continueLive(
    live: LiveTask,
    ticket: TurnTicket,
    input: TurnInput,
    releaseContext: (() => void) | undefined,
  ): void {
    const { ifGenerationMatch, idempotency: key } = input;
    // Nobody else writes to the task, so what is true now is true in the commit.
    requireGeneration(live.taskId, ifGenerationMatch, live.writtenSequence);
    const message = { ...input.message, taskId: live.taskId, contextId: live.contextId };
    const idempotency = key && { owner: live.ownerKey, ...key };
    const written = rejectingLarge(() =>
      live.writeStatus('TASK_STATE_WORKING', undefined, {
        internal: { input: message, ...requestOf(input) },
        idempotency,
      }),
    );
    if (!written) throw endedTask(live);
    this.#runLive(live, ticket, input, message, { begun: true, resumed: false, releaseContext });
  }

  #restartLive(
    live: LiveTask,
    ticket: TurnTicket,
    plan: Pick<TurnPlan, 'resumed' | 'takeover' | 'isTakenOver'>,
  ): void {
    const { history, request } = live.committed as TaskFold;
    const message = history.findLast((candidate) => candidate.role === 'ROLE_USER');
    if (message === undefined) throw new Error('The task has no user message to run.');
    const input: TurnInput = {
      owner: ownerFromKey(live.ownerKey),
      message,
      configuration: request.configuration ?? {},
      metadata: request.metadata ?? {},
      trace: request.trace,
      mayAnswerDirectly: false,
    };
    const plannedAt = live.committedSequence;
    this.#runLive(live, ticket, input, message, { ...plan, begun: false, plannedAt });
  }

  #runLive(
    live: LiveTask,
    ticket: TurnTicket,
    input: TurnInput,
    message: Message,
    plan: Omit<TurnPlan, 'source' | 'ticket' | 'acquireContext' | 'trace'>,
  ): void {
    const source = this.#sourceOf(live, input, message);
    this.#running.run({
      ...plan,
      source,
      ticket,
      acquireContext: this.#options.store.isShared
        ? () => this.#acquireContext(live, source.abort.signal, plan.isTakenOver)
        : undefined,
      trace: input.trace,
    });
  }

  #sourceOf(live: LiveTask, input: TurnInput, message: Message, newTask?: Task): TurnSource {
    const { owner, configuration, metadata } = input;
    const { store } = this.#options;
    return { store, live, owner, message, configuration, metadata, newTask, abort: new TurnAbort() };
  }

  #enter(context: string, owner: Owner, options: { alreadyAccepted?: boolean } = {}): TurnTicket {
    const group = this.#options.turnGroupOf?.(owner);
    return this.#queue.enter(context, { ...options, caller: identityOf(owner), group });
  }

  #acquireContext(
    { taskId, ownerKey: owner, contextId }: LiveTask,
    signal: AbortSignal,
    isTakenOver?: boolean,
  ): Promise<(() => void) | undefined> {
    const isRestarted = (id: string): boolean => this.#restarting.has(id) || this.#running.isRestarted(id);
    const options = { ...this.#options, here: this.#contexts, isRestarted };
    return acquireContext({ taskId, owner, contextId, isTakenOver }, options, signal);
  }

  /** The open decision of a turn that its agent may answer with a plain message. */
  #answersDirectly(source: TurnSource, { trace }: TurnInput): DirectAnswer | undefined {
    const { executor, log } = this.#options;
    if (executor.answersDirectly === undefined) return undefined;
    const direct = new DirectAnswer();
    try {
      return executor.answersDirectly(makeTurn({ ...source, direct }, 1, trace)) ? direct : undefined;
    } catch (error) {
      log.error('The agent threw when asked whether it answers directly. A task is created.', {
        error: String(error),
      });
      return undefined;
    }
  }

  /**
   * Waits for the slot of a follow-up. It has not been accepted yet, so a stop rejects it, and so does a change of its task
   * that it must not follow.
   */
  async #waitForSlot(
    ticket: TurnTicket,
    header: TaskHeader,
    { ifGenerationMatch }: TurnInput,
  ): Promise<void> {
    this.#waiting.add(ticket);
    try {
      if (ifGenerationMatch === undefined || ticket.startsNow) await ticket.ready;
      else await readyInGeneration(ticket.ready, this.#options, header, ifGenerationMatch);
    } finally {
      this.#waiting.delete(ticket);
    }
    this.#rejectWhenStopping();
  }

  /** A caller who does not want to wait is told the reason: another message came first, or another turn runs. */
  async #rejectBusy(header: TaskHeader, { ifGenerationMatch }: TurnInput): Promise<never> {
    if (ifGenerationMatch !== undefined) {
      using deadline = new Deadline(IMMEDIATE_MILLISECONDS);
      await rejectMoved(this.#options, header, ifGenerationMatch, deadline.signal);
    }
    throw busyTask(header);
  }

  /** If another process runs a turn of the task, that turn goes first, as it would here (J10). */
  async #openWhenFree(header: TaskHeader, input: TurnInput): Promise<LiveTask> {
    const { signal } = this.#stop;
    const mayWait = input.configuration.returnImmediately !== true;
    for (;;) {
      try {
        return await this.#options.liveTasks.open(header);
      } catch (error) {
        if (!isHeldElsewhere(error)) throw error;
      }
      if (!mayWait) await this.#rejectBusy(header, input);
      await this.#options.reader.settled(header.taskId, signal);
      await pause(RELEASE_MILLISECONDS, signal);
      this.#rejectWhenStopping();
    }
  }

  #release(ticket: TurnTicket, live: LiveTask | undefined): void {
    ticket.release();
    if (live !== undefined) this.#options.liveTasks.close(live);
  }

  async #rejectKnownKey(owner: string, input: TurnInput): Promise<void> {
    if (input.idempotency === undefined) return;
    const known = await this.#options.store.findIdempotencyKey(owner, input.idempotency.key);
    if (known !== undefined) throw new IdempotencyKeyTaken(known.taskId, known.payloadHash);
  }

  #rejectWhenStopping(): void {
    if (this.stopping) throw serverStopping();
  }
}
