import { setTimeout } from 'node:timers/promises';
import type { Executor, Turn } from '../executors/executor.ts';
import { RetryableError, TerminalError } from '../executors/executor-errors.ts';
import type { Log } from '../log.ts';
import type { DirectAnswer } from './direct-answer.ts';
import type { LiveTask } from './live-task.ts';
import type { TurnAbort } from './turn-abort.ts';
import { TurnSink } from './turn-sink.ts';

export interface TurnRun {
  live: LiveTask;
  /** The turn for the given attempt. */
  turn(attempt: number): Turn;
  abort: TurnAbort;
  direct?: DirectAnswer | undefined;
  /** The executor resumes a turn that an earlier process started. */
  resumed: boolean;
}

export interface TurnRunnerOptions {
  executor: Executor;
  log: Log;
  maxAttempts: number;
}

const FIRST_RETRY_MILLISECONDS = 500;
const LAST_RETRY_MILLISECONDS = 30_000;
const UNEXPECTED = 'The agent failed unexpectedly. The reason is in the server log.';

/**
 * Runs one turn of an executor to a definite outcome: what it wrote, completed if it wrote nothing final, failed if it
 * threw, retried if it asked for that. Resolves when the outcome is on disk. Never rejects.
 */
export async function runTurn(run: TurnRun, options: TurnRunnerOptions): Promise<void> {
  const { live, abort } = run;
  const sink = new TurnSink(live, options.log, run.direct);
  for (let attempt = 1; abort.reason === undefined; attempt += 1) {
    try {
      await callExecutor(run, options.executor, sink, attempt);
      // The outcome is written by the code that aborted the turn: an agent that obeys the signal has not finished.
      if (abort.reason === undefined) await sink.finish();
      break;
    } catch (error) {
      if (abort.reason !== undefined) break;
      if (sink.ended) {
        options.log.warn('The agent threw after the turn had ended.', {
          taskId: live.taskId,
          error: String(error),
        });
        break;
      }
      const pause = retryPause(error, attempt, options.maxAttempts);
      if (pause === undefined) {
        await sink.fail(failureText(error, live, options.log)).catch(ignoreLostTask);
        break;
      }
      await sink.status(`Retrying: ${(error as Error).message}`).catch(ignoreLostTask);
      await setTimeout(pause, undefined, { signal: abort.signal }).catch(ignoreAbort);
    }
  }
  await sink.flush().catch(ignoreLostTask);
}

async function callExecutor(
  run: TurnRun,
  executor: Executor,
  sink: TurnSink,
  attempt: number,
): Promise<void> {
  // The first attempt of a resumed turn was made by an earlier process.
  const turn = run.turn(run.resumed ? attempt + 1 : attempt);
  if (run.resumed && executor.resume !== undefined) await executor.resume(turn, sink);
  else await executor.execute(turn, sink);
}

function retryPause(error: unknown, attempt: number, maxAttempts: number): number | undefined {
  if (!isExecutorError(error, RetryableError.code) || attempt >= maxAttempts) return undefined;
  const asked = (error as RetryableError).retryAfterMilliseconds;
  return asked ?? Math.min(FIRST_RETRY_MILLISECONDS * 2 ** (attempt - 1), LAST_RETRY_MILLISECONDS);
}

function failureText(error: unknown, live: LiveTask, log: Log): string {
  if (isExecutorError(error, TerminalError.code) || isExecutorError(error, RetryableError.code))
    return error.message;
  log.error('The agent failed unexpectedly.', {
    taskId: live.taskId,
    error: error instanceof Error ? (error.stack ?? error.message) : String(error),
  });
  return UNEXPECTED;
}

/** By code, not by class: an agent module may load its own copy of this package. */
function isExecutorError(error: unknown, code: string): error is Error {
  return error instanceof Error && 'code' in error && error.code === code;
}

/** This process may no longer write the task; its new holder ends it. */
function ignoreLostTask(): void {}

/** The loop checks the signal itself. */
function ignoreAbort(): void {}
