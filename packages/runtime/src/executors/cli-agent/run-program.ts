import { hasErrorCode, Timer } from '@holdword/protocol/internal';
import { childEnvironment } from '../child-process/child-environment.ts';
import type { OwnedProcess } from '../child-process/owned-process.ts';
import type { ProcessTable } from '../child-process/process-table.ts';
import { publicOutput, readTail, withoutSecrets } from '../child-process/program-output.ts';
import { errorReason } from '../../log.ts';
import { tooMuchOutput, turnTimedOut } from '../executor-errors.ts';
import type { CliAgentSettings } from './cli-agent-options.ts';
import type { CliOutcome, CliOutput, CliReader, CliTurn } from './profile.ts';

export interface ProgramRun {
  readonly settings: CliAgentSettings;
  readonly table: ProcessTable;
  readonly turn: CliTurn;
  /** Stops the program when it fires. */
  readonly signal: AbortSignal;
  /** Environment variables of this run only. */
  readonly environment: Readonly<Record<string, string>>;
  /** Gets the output of the program, in order. */
  readonly write: (outputs: readonly CliOutput[]) => Promise<void>;
}

const ERROR_OUTPUT_BYTES = 1024 * 1024;
const LOGGED_CHARACTERS = 2_000;

/**
 * Runs the program of a profile for one turn. Resolves with the outcome from its reader. If the run is aborted, times out or
 * exceeds the output limit, it rejects with the reason after the program has exited.
 */
export async function runProgram(run: ProgramRun): Promise<CliOutcome> {
  const { settings, table, turn, signal } = run;
  const { profile } = settings;
  const command = profile.command(turn);
  const reader = profile.reader(turn);
  const environment = childEnvironment([
    { names: profile.environmentNames ?? [] },
    { values: run.environment },
    { values: command.environment ?? {} },
    settings.environment,
  ]);
  signal.throwIfAborted();
  const owned = await table.spawn({ ...command, environment, workingDirectory: turn.workingDirectory });
  const errorOutput = readTail(owned.standardError, ERROR_OUTPUT_BYTES);
  owned.standardInput.end(command.input ?? '');
  try {
    await whileItRuns(owned, run, (stopped) => readOutput(owned, reader, run, stopped));
  } catch (error) {
    const about = { taskId: turn.taskId, program: command.file, reason: errorReason(error) };
    if (!signal.aborted) settings.log.warn('The agent program was stopped.', about);
    throw error;
  }
  const end = await owned.ended;
  const stderr = await errorOutput;
  const logFailure = (reason?: string): void =>
    settings.log.warn('The agent program failed.', {
      taskId: turn.taskId,
      program: command.file,
      exitCode: end.exitCode ?? end.signal,
      errorOutput: withoutSecrets(stderr.slice(-LOGGED_CHARACTERS), environment),
      ...(reason !== undefined && { reason }),
    });
  try {
    const outcome = await reader.finish({
      ...end,
      errorOutput: stderr,
      reason: publicOutput(stderr, environment),
      toPublic: (text) => publicOutput(text, environment),
    });
    if (outcome.state === 'failed') logFailure();
    return outcome;
  } catch (error) {
    logFailure(errorReason(error));
    throw error;
  }
}

/** Does the work, and stops the program if the work fails, the turn is aborted or it times out. */
async function whileItRuns(
  owned: OwnedProcess,
  { settings, signal }: ProgramRun,
  work: (stopped: AbortSignal) => Promise<void>,
): Promise<void> {
  const { timeoutMilliseconds, graceMilliseconds } = settings;
  const stopping = new AbortController();
  const stop = (reason: unknown): void => {
    stopping.abort(reason);
    void owned.stop(graceMilliseconds);
  };
  const abort = (): void => stop(signal.reason);
  signal.addEventListener('abort', abort, { once: true });
  // It may have fired while the program was starting.
  if (signal.aborted) abort();
  const timer = new Timer(timeoutMilliseconds, () => stop(turnTimedOut(timeoutMilliseconds)));
  try {
    await work(stopping.signal);
  } catch (error) {
    stop(error);
  } finally {
    await owned.ended;
    timer[Symbol.dispose]();
    signal.removeEventListener('abort', abort);
  }
  stopping.signal.throwIfAborted();
}

/** Passes the output to the reader as it arrives. Output of a program that is being stopped is ignored. */
async function readOutput(
  owned: OwnedProcess,
  reader: CliReader,
  { settings, write }: ProgramRun,
  stopped: AbortSignal,
): Promise<void> {
  const decoder = new TextDecoder();
  let bytes = 0;
  const chunks = owned.standardOutput.iterator({ destroyOnReturn: false }) as AsyncIterable<Buffer>;
  try {
    for await (const chunk of chunks) {
      if (stopped.aborted) return;
      bytes += chunk.length;
      if (bytes > settings.maxOutputBytes) throw tooMuchOutput(settings.maxOutputBytes);
      await write(reader.read(decoder.decode(chunk, { stream: true })));
    }
  } catch (error) {
    // A process that the program left running has held stdout open until it was closed here.
    if (!hasErrorCode(error, 'ERR_STREAM_PREMATURE_CLOSE')) throw error;
  }
}
