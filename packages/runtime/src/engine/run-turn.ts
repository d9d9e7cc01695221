import { backoffDelay, hasErrorCode, pause } from '@holdword/protocol/internal';
import { RetryableError, TerminalError } from '../executors/executor-errors.ts';
import type { Executor } from '../executors/executor.ts';
import type { Log } from '../log.ts';
import type { Observer } from '../observe/observer.ts';
import { startTurnSpan, type TraceContext } from '../observe/tracing.ts';
import type { LiveTask } from './live-task.ts';
import { makeTurn, type TurnSource } from './make-turn.ts';
import { TurnSink } from './turn-sink.ts';

export interface TurnRun {
  source: TurnSource;
  /** The sender's trace. */
  trace: TraceContext | undefined;
  /** The executor resumes a turn that an earlier process started. */
  resumed: boolean;
}

export interface RunTurnOptions {
  executor: Executor;
  log: Log;
  observer: Observer;
  maxAttempts: number;
}

const FIRST_RETRY_MILLISECONDS = 500;
const LAST_RETRY_MILLISECONDS = 30_000;
const UNEXPECTED = 'The agent failed unexpectedly. The reason is in the server log.';

/**
 * Runs one turn of an executor to a definite outcome: what it wrote, completed if it wrote nothing final, failed if it
 * threw, retried if it asked for that. Resolves when the outcome is on disk. Never rejects.
 *
 * The turn runs inside a span, whose trace is passed to the agent, and its duration is reported to the observer.
 */
export async function runTurn(run: TurnRun, options: RunTurnOptions): Promise<void> {
  const startedAt = performance.now();
  const { live } = run.source;
  const span = startTurnSpan({
    parent: run.trace,
    attributes: { 'a2a.task.id': live.taskId, 'a2a.context.id': live.contextId, 'a2a.resumed': run.resumed },
  });
  try {
    await span.run(() => makeAttempts(run, span.trace, options));
  } finally {
    const state = live.writtenState;
    span.end(state === 'TASK_STATE_FAILED' ? state : undefined);
    options.observer.turnEnded?.({ state, milliseconds: performance.now() - startedAt });
  }
}

async function makeAttempts(
  { source, resumed }: TurnRun,
  trace: TraceContext | undefined,
  { executor, log, maxAttempts }: RunTurnOptions,
): Promise<void> {
  const { live, abort, direct } = source;
  const sink = new TurnSink(live, log, direct);
  for (let attempt = 1; abort.reason === undefined; attempt += 1) {
    try {
      // The first attempt of a resumed turn was made by an earlier process.
      const turn = makeTurn(source, resumed ? attempt + 1 : attempt, trace);
      if (resumed && executor.resume !== undefined) await executor.resume(turn, sink);
      else await executor.execute(turn, sink);
      // The outcome is written by the code that aborted the turn: an agent that obeys the signal has not finished.
      if (abort.reason === undefined) await sink.finish();
      break;
    } catch (error) {
      if (abort.reason !== undefined) break;
      if (sink.ended) {
        log.warn('The agent threw after the turn had ended.', { taskId: live.taskId, error: String(error) });
        break;
      }
      if (!hasErrorCode(error, RetryableError.code) || attempt >= maxAttempts) {
        await sink.fail(failureText(error, live, log)).catch(ignoreLostTask);
        break;
      }
      await sink.status(`Retrying: ${error.message}`).catch(ignoreLostTask);
      await pause(retryDelay(error, attempt), abort.signal);
    }
  }
  await sink.flush().catch(ignoreLostTask);
}

/** What the agent asked for, exactly; otherwise the usual backoff. */
function retryDelay(error: object, attempt: number): number {
  const { retryAfterMilliseconds } = error as Partial<RetryableError>;
  if (retryAfterMilliseconds !== undefined) return retryAfterMilliseconds;
  return backoffDelay(attempt - 1, {
    firstMilliseconds: FIRST_RETRY_MILLISECONDS,
    longestMilliseconds: LAST_RETRY_MILLISECONDS,
  });
}

/** Errors are recognized by code, not by class: an agent module may load its own copy of this package. */
function failureText(error: unknown, live: LiveTask, log: Log): string {
  if (hasErrorCode(error, TerminalError.code, RetryableError.code)) return error.message;
  log.error('The agent failed unexpectedly.', {
    taskId: live.taskId,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return UNEXPECTED;
}

/** This process may no longer write the task; its new holder ends it. */
function ignoreLostTask(): void {}
