import { setTimeout } from 'node:timers/promises';
import type { Store } from '@holdword/store';
import type { Executor, Turn } from '../executors/executor.ts';
import type { Log } from '../log.ts';
import type { Observer } from '../observe/observer.ts';
import type { TraceContext } from '../observe/tracing.ts';
import type { DirectAnswer } from './direct-answer.ts';
import { interruptTask } from './interrupt-task.ts';
import { IdempotencyKeyTaken } from './journal-writer.ts';
import { keepLateAnswer } from './keep-late-answer.ts';
import type { LiveTask } from './live-task.ts';
import type { LiveTasks } from './live-tasks.ts';
import { RotatingMap } from './rotating-map.ts';
import type { TurnAbort, TurnAbortReason } from './turn-abort.ts';
import type { TurnTicket } from './turn-queue.ts';
import { serverStopping } from './turn-errors.ts';
import { watchTurn } from './watch-turn.ts';

export interface RunningTurnsOptions {
  store: Store;
  executor: Executor;
  liveTasks: LiveTasks;
  log: Log;
  observer: Observer;
  maxAttempts: number;
}

/** A turn with its slot and its task, which it releases when it ends. */
export interface PlannedTurn {
  live: LiveTask;
  ticket: TurnTicket;
  abort: TurnAbort;
  /** The sender's trace. `makeTurn` makes a turn that belongs to the trace it is given. */
  trace: TraceContext | undefined;
  makeTurn: (attempt: number, trace: TraceContext | undefined) => Turn;
  direct?: DirectAnswer | undefined;
  /** The turn has its slot, and the start of the work is written: only the commit is still pending. */
  begun: boolean;
  /** Set if other processes may work in the context: waits for its lock and returns the function that releases it. */
  acquireContext?: (() => Promise<(() => void) | undefined>) | undefined;
  /** Releases the context, if it was acquired. */
  releaseContext?: (() => void) | undefined;
  /** The committed sequence number when the turn was planned, if it must not run once the task has changed. */
  plannedAt?: number;
  /** An earlier process started this turn. */
  resumed: boolean;
}

interface RunningTurn extends PlannedTurn {
  done: Promise<void>;
}

const NOT_BEGUN = Promise.resolve();
const ABORT_PATIENCE_MILLISECONDS = 1_000;

/**
 * The turns that run here or wait for their slot, by task.
 *
 * Responsible for releasing slot and task whatever happens in a turn, and for ending every turn when the server stops
 * (J7). Leaves the run to `runTurn`, and the decision to start one to Turns.
 */
export class RunningTurns {
  readonly #options: RunningTurnsOptions;
  readonly #turns = new RotatingMap<string, RunningTurn>();

  constructor(options: RunningTurnsOptions) {
    this.#options = options;
  }

  run(plan: PlannedTurn): void {
    const turn: RunningTurn = Object.assign(plan, { done: NOT_BEGUN });
    const { live, abort } = turn;
    live.whenLost(() => abort.abort('lost'));
    this.#turns.set(live.taskId, turn);
    turn.done = this.#bringToAnEnd(turn);
  }

  /** Aborts the turn of the task, whether it runs or waits. Returns false if there is none here. */
  abort(taskId: string, reason: TurnAbortReason): boolean {
    const turn = this.#turns.get(taskId);
    if (turn === undefined) return false;
    turn.abort.abort(reason);
    if (!turn.begun) turn.ticket.release();
    return true;
  }

  /**
   * Waits for running turns, then aborts them and records the outcome. Waiting turns are left unchanged: the next
   * process runs them.
   */
  async stop(graceMilliseconds: number): Promise<void> {
    const turns = this.#turns.values();
    const running = turns.filter((turn) => turn.begun);
    for (const turn of turns) if (!turn.begun) this.abort(turn.live.taskId, 'stopped');
    await Promise.race([Promise.all(running.map((turn) => turn.done)), pause(graceMilliseconds)]);
    await Promise.all(turns.map((turn) => (turn.begun ? this.#interrupt(turn) : turn.done)));
  }

  async #interrupt(turn: RunningTurn): Promise<void> {
    turn.abort.abort('stopped');
    await Promise.race([turn.done, pause(ABORT_PATIENCE_MILLISECONDS)]);
    const { live } = turn;
    if (this.#turns.get(live.taskId) !== turn) return;
    // The executor ignores its signal and is not waited for any longer.
    this.#turns.delete(live.taskId);
    turn.direct?.reject(serverStopping());
    await interruptTask(live, this.#resumable);
    this.#options.liveTasks.dispose(live);
  }

  /** Never rejects. */
  async #bringToAnEnd(turn: RunningTurn): Promise<void> {
    const { live } = turn;
    try {
      await this.#work(turn);
    } catch (error) {
      if (!(error instanceof IdempotencyKeyTaken))
        this.#options.log.error('Could not run a turn.', { taskId: live.taskId, error: String(error) });
    } finally {
      if (this.#turns.get(live.taskId) === turn) this.#turns.delete(live.taskId);
      turn.direct?.reject(serverStopping());
      turn.ticket.release();
      turn.releaseContext?.();
      this.#options.liveTasks.close(live);
    }
  }

  async #work(turn: RunningTurn): Promise<void> {
    const { live, abort } = turn;
    if (this.#startsAfterCommit(turn)) await live.flushed();
    if (!turn.begun && !(await this.#waitForSlot(turn))) return;
    await watchTurn(turn, this.#options);
    if (abort.reason === 'stopped') await interruptTask(live, this.#resumable);
    if (abort.reason === 'lost') await keepLateAnswer(live, this.#options);
  }

  /**
   * The message has to be on disk before anything is done that a crash could forget, unless repeating it is harmless. A
   * turn that waits for its slot has time for that.
   */
  #startsAfterCommit({ direct, live, begun }: RunningTurn): boolean {
    if (direct !== undefined) return false;
    const isNew = live.committed === undefined;
    return !(isNew && begun && this.#options.executor.withoutEffects === true);
  }

  /** Waits for the turn's slot and records that work starts. Returns false if the turn was aborted while it waited. */
  async #waitForSlot(turn: RunningTurn): Promise<boolean> {
    await turn.ticket.ready;
    turn.releaseContext ??= await turn.acquireContext?.();
    if (turn.abort.reason !== undefined) return false;
    if (turn.plannedAt !== undefined && turn.plannedAt !== turn.live.committedSequence) return false;
    turn.begun = true;
    if (turn.direct !== undefined) return true;
    if (!turn.live.writeStatus('TASK_STATE_WORKING')) return false;
    await turn.live.flushed();
    return true;
  }

  get #resumable(): boolean {
    return this.#options.executor.resume !== undefined;
  }
}

async function pause(milliseconds: number): Promise<void> {
  await setTimeout(milliseconds, undefined, { ref: false });
}
