import { isInterrupted, isTerminal, type StreamResponse } from '@holdword/protocol';
import { withTimeout } from '@holdword/protocol/internal';
import { isStoreError, type Store } from '@holdword/store';
import type { Sink } from '../executors/executor.ts';
import { errorText, type Log } from '../log.ts';
import type { Takeover } from './event-codec.ts';
import type { LiveTask } from './live-task.ts';
import type { LiveTasks } from './live-tasks.ts';
import { RotatingMap } from '../rotating-map.ts';
import { runTurn, type RunTurnOptions, type TurnAbortReason, type TurnRun } from './run-turn.ts';
import { IdempotencyKeyTaken } from './turn-errors.ts';
import type { TurnTicket } from './turn-queue.ts';
import { TurnSink } from './turn-sink.ts';

export interface RunningTurnsOptions extends RunTurnOptions {
  store: Store;
  liveTasks: LiveTasks;
}

/** A turn with its slot and its task, which are released when it ends. */
export interface TurnPlan extends TurnRun {
  readonly ticket: TurnTicket;
  /** The turn has its slot, and the start of the work is written: only the commit is still pending. */
  readonly begun: boolean;
  /** Releases the context, if it was acquired already. */
  readonly releaseContext?: (() => void) | undefined;
  /** Set if other processes may work in the context: waits for its lock and returns the function that releases it. */
  readonly acquireContext?: (() => Promise<(() => void) | undefined>) | undefined;
  /** The committed sequence number when the turn was planned, if it must not run once the task has changed. */
  readonly plannedAt?: number | undefined;
  /** Set if the turn was begun by a process that is gone. */
  readonly takeover?: Takeover | undefined;
  /** Set if that process lives, and still has the context of the turn. */
  readonly isTakenOver?: boolean | undefined;
}

/** How far a planned turn is. */
interface RunningTurn {
  readonly plan: TurnPlan;
  readonly live: LiveTask;
  begun: boolean;
  releaseContext: (() => void) | undefined;
  done: Promise<void>;
}

const ABORT_PATIENCE_MILLISECONDS = 1_000;
/** A server that stops waits this long for a store that does not respond. The next process ends what could not be written. */
const STORE_PATIENCE_MILLISECONDS = 1_000;
const INTERRUPTED =
  'Interrupted: the server was stopped before the agent had finished. Send the message again with a new message ID.';
const WILL_RESUME = 'The server was stopped. The agent resumes when it starts again.';

/**
 * The turns that run here or wait for their slot, by task.
 *
 * Responsible for releasing slot and task whatever happens in a turn, for ending every turn when the server stops (J7),
 * and for what an agent said after its task was lost to another process (J6). Leaves the run to `runTurn`, and the
 * decision to start one to Turns.
 */
export class RunningTurns {
  readonly #options: RunningTurnsOptions;
  readonly #turns = new RotatingMap<string, RunningTurn>();

  constructor(options: RunningTurnsOptions) {
    this.#options = options;
  }

  run(plan: TurnPlan): void {
    const { live, abort } = plan.source;
    const { begun, releaseContext } = plan;
    const turn: RunningTurn = { plan, live, begun, releaseContext, done: Promise.resolve() };
    live.whenLost(() => abort.abort('lost'));
    this.#turns.set(live.taskId, turn);
    turn.done = this.#bringToAnEnd(turn);
  }

  /** Whether the turn of the task was left behind by another process. */
  isRestarted(taskId: string): boolean {
    return this.#turns.get(taskId)?.plan.takeover !== undefined;
  }

  /** Aborts the turn of the task, whether it runs or waits. Returns false if there is none here. */
  abort(taskId: string, reason: TurnAbortReason): boolean {
    const turn = this.#turns.get(taskId);
    if (turn === undefined) return false;
    turn.plan.source.abort.abort(reason);
    if (!turn.begun) turn.plan.ticket.release();
    return true;
  }

  /**
   * Waits for running turns, then aborts them and records the outcome. Waiting turns are left unchanged: the next
   * process runs them.
   */
  async stop(graceMilliseconds: number): Promise<void> {
    const turns = this.#turns.values();
    const running = turns.filter((turn) => !isWaiting(turn));
    for (const turn of turns) if (isWaiting(turn)) this.abort(turn.live.taskId, 'stopped');
    await waitAtMost(graceMilliseconds, Promise.all(running.map((turn) => turn.done)));
    await Promise.all(
      turns.map((turn) =>
        turn.begun ? this.#interrupt(turn) : waitAtMost(STORE_PATIENCE_MILLISECONDS, turn.done),
      ),
    );
  }

  async #interrupt(turn: RunningTurn): Promise<void> {
    const { live } = turn;
    const { abort, direct } = turn.plan.source;
    abort.abort('stopped');
    await waitAtMost(ABORT_PATIENCE_MILLISECONDS, turn.done);
    if (this.#turns.get(live.taskId) !== turn) return;
    // The executor ignores its signal and is not waited for any longer.
    this.#turns.delete(live.taskId);
    direct?.becomeTask();
    await interruptTask(live, this.#resumable);
    this.#options.liveTasks.dispose(live);
  }

  /** Never rejects. */
  async #bringToAnEnd(turn: RunningTurn): Promise<void> {
    const { live, plan } = turn;
    try {
      await this.#work(turn);
    } catch (error) {
      if (!(error instanceof IdempotencyKeyTaken))
        this.#options.log.error('Could not run a turn.', { taskId: live.taskId, error: errorText(error) });
    } finally {
      if (this.#turns.get(live.taskId) === turn) this.#turns.delete(live.taskId);
      plan.source.direct?.becomeTask();
      plan.ticket.release();
      turn.releaseContext?.();
      this.#options.liveTasks.close(live);
    }
  }

  async #work(turn: RunningTurn): Promise<void> {
    const { live, plan } = turn;
    const { abort } = plan.source;
    if (this.#startsAfterCommit(turn)) await live.flushed();
    if (!turn.begun && !(await this.#waitForSlot(turn))) return;
    await runTurn(plan, this.#options);
    if (abort.reason === 'stopped') await interruptTask(live, this.#resumable);
    if (abort.reason === 'lost') await keepLateAnswer(live, this.#options).catch(ignoreDeletedTask);
  }

  /**
   * The message has to be on disk before anything is done that a crash could forget, unless repeating it is harmless. A
   * turn that waits for its slot has time for that.
   */
  #startsAfterCommit({ live, begun }: RunningTurn): boolean {
    const isNew = live.committed === undefined;
    return !(isNew && begun && this.#options.executor.withoutEffects === true);
  }

  /** Waits for the turn's slot and records that work starts. Returns false if the turn was aborted while it waited. */
  async #waitForSlot(turn: RunningTurn): Promise<boolean> {
    const { live, plan } = turn;
    const { abort } = plan.source;
    await plan.ticket.ready;
    turn.releaseContext ??= await plan.acquireContext?.();
    if (abort.reason !== undefined) return false;
    if (plan.plannedAt !== undefined && plan.plannedAt !== live.committedSequence) return false;
    turn.begun = true;
    const { takeover } = plan;
    if (!live.writeStatus('TASK_STATE_WORKING', undefined, takeover && { internal: { takeover } }))
      return false;
    await live.flushed();
    return true;
  }

  get #resumable(): boolean {
    return this.#options.executor.resume !== undefined;
  }
}

async function waitAtMost(milliseconds: number, work: Promise<unknown>): Promise<void> {
  await withTimeout(work, milliseconds).catch(() => {});
}

/** It waits for its slot, or its agent said that it has done nothing of it yet. */
function isWaiting({ begun, live }: RunningTurn): boolean {
  return !begun || live.writtenState === 'TASK_STATE_SUBMITTED';
}

/**
 * Records that a task stopped with its server, unless it has an outcome or waits: failed, or still working if the executor
 * can resume it after a restart (J7). The next process runs a task whose agent has done nothing of the turn.
 */
async function interruptTask(live: LiveTask, resumable: boolean): Promise<void> {
  if (live.writtenState !== 'TASK_STATE_WORKING') return;
  live.writeStatus(
    resumable ? 'TASK_STATE_WORKING' : 'TASK_STATE_FAILED',
    { parts: [{ text: resumable ? WILL_RESUME : INTERRUPTED }] },
    { releaseLease: true, metadata: { reason: 'interrupted' } },
  );
  // If the task cannot be written now, recovery ends it later.
  await waitAtMost(STORE_PATIENCE_MILLISECONDS, live.flushed());
}

/**
 * Keeps what the agent said after another process had ended its task, for example by canceling it, as artifacts marked
 * as late (J6). A task that still runs in another process gets nothing: that process ends it.
 */
async function keepLateAnswer(
  lost: LiveTask,
  { store, liveTasks, log }: { store: Store; liveTasks: LiveTasks; log: Log },
): Promise<void> {
  const said = await lost.rejectedEvents();
  if (!said.some(isAnswer)) return;
  const header = await store.readTask(lost.taskId);
  if (header === undefined || !isTerminal(header.state)) return;
  const live = await liveTasks.open(header);
  try {
    const sink = new TurnSink(live, log);
    for (const event of said) await sayLate(sink, event);
    await live.flushed();
  } finally {
    liveTasks.close(live);
  }
}

/** An operator deleted the task that the answer belongs to. */
function ignoreDeletedTask(error: unknown): void {
  if (!isStoreError(error) || error.code !== 'unknown-task') throw error;
}

function isAnswer(event: StreamResponse): boolean {
  if ('artifactUpdate' in event) return true;
  if (!('statusUpdate' in event)) return false;
  const { state, message } = event.statusUpdate.status;
  return message !== undefined && (isTerminal(state) || isInterrupted(state));
}

/** The sink of an ended task turns everything into late artifacts. */
async function sayLate(sink: Sink, event: StreamResponse): Promise<void> {
  if ('artifactUpdate' in event) {
    const { artifact, append = false, lastChunk = false, metadata } = event.artifactUpdate;
    await sink.artifact({ ...artifact, append, lastChunk, ...(metadata && { eventMetadata: metadata }) });
  } else if (isAnswer(event) && 'statusUpdate' in event) {
    await sink.complete(event.statusUpdate.status.message?.parts);
  }
}
