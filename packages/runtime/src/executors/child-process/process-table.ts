import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { accessSync, constants, existsSync, statSync } from 'node:fs';
import { basename } from 'node:path';
import { errorCode, hasErrorCode, pause } from '@holdword/protocol/internal';
import { type Log, OutageLog } from '../../log.ts';
import { TerminalError } from '../executor-errors.ts';
import { notExecutable, notFound } from './find-program.ts';
import { OwnedProcess } from './owned-process.ts';
import { type ProcessRecord, ProcessRecords } from './process-records.ts';
import {
  identityOf,
  isAlive,
  listProcesses,
  markVariable,
  newMark,
  type ProcessEntry,
} from './running-processes.ts';

interface ProcessTableOptions {
  /** Where running processes are recorded, so that the next start can end those that a crash left running. */
  folder: string;
  log: Log;
}

interface ProcessCommand {
  /** A path, or a name to look up in the PATH of the environment. */
  readonly file: string;
  readonly arguments: readonly string[];
  /** The whole environment: nothing is inherited. */
  readonly environment: Readonly<Record<string, string>>;
  readonly workingDirectory: string;
}

/**
 * The processes that this server has started for its agents.
 *
 * Responsible for none of them outliving the server: each leads its own process group and is recorded with a mark that
 * everything it starts inherits. The group ends with its leader, processes that left the group are found by the mark, and
 * processes that a crash left running are ended by the next server on the same folder. Nothing is ever killed by name or
 * by pid alone. Leaves to its users when a process has to stop.
 */
export class ProcessTable {
  readonly #records: ProcessRecords;
  readonly #sweeper: ProcessSweeper;
  readonly #running = new Set<OwnedProcess>();
  readonly #sweeps = new Set<Promise<void>>();
  readonly #outage: OutageLog;
  readonly #killAll = (): void => {
    for (const owned of this.#running) owned.kill();
  };
  #closed = false;

  private constructor(options: ProcessTableOptions) {
    this.#records = new ProcessRecords(options.folder);
    this.#sweeper = new ProcessSweeper(this.#records, options.log);
    this.#outage = new OutageLog(options.log, {
      beginning: 'The program of the agent could not be started. Turns fail until this is corrected.',
      end: 'The program of the agent can be started again.',
    });
    process.on('exit', this.#killAll);
  }

  /** Processes that an earlier server left running have ended when this resolves. */
  static async open(options: ProcessTableOptions): Promise<ProcessTable> {
    if (process.platform === 'win32') {
      throw new Error(
        'Command-line agents are supported on Linux and macOS only: on Windows, an agent cannot be stopped together with everything it has started.',
      );
    }
    await endLeftBehind(options);
    return new ProcessTable(options);
  }

  /** Starts a process. Rejects with a TerminalError that says what is wrong with the program. */
  async spawn(command: ProcessCommand): Promise<OwnedProcess> {
    if (this.#closed) throw new Error('Cannot start a process: the server is stopping.');
    const mark = newMark();
    this.#records.write(mark);
    try {
      const child = spawn(command.file, command.arguments, {
        cwd: command.workingDirectory,
        env: { ...command.environment, ...markVariable(mark) },
        detached: true,
        stdio: ['pipe', 'pipe', 'pipe'],
      });
      // A program that cannot be started has no pid; the error says why.
      if (child.pid === undefined) throw (await once(child, 'error'))[0];
      this.#outage.succeeded();
      return this.#own(new OwnedProcess(child), mark);
    } catch (error) {
      this.#records.remove(mark);
      const problem = processError(error, command);
      if (!isAboutMessage(error)) this.#outage.failed(problem, { program: command.file });
      throw problem;
    }
  }

  /** Ends all processes. Resolves when none is left. */
  async close(): Promise<void> {
    this.#closed = true;
    await Promise.all([...this.#running].map((owned) => owned.stop(0)));
    await Promise.all(this.#sweeps);
    process.off('exit', this.#killAll);
  }

  #own(owned: OwnedProcess, mark: string): OwnedProcess {
    const identity = identityOf(owned.pid);
    this.#records.write(mark, identity);
    this.#running.add(owned);
    const sweep = this.#sweepAfter(owned, { mark, process: identity }).finally(() =>
      this.#sweeps.delete(sweep),
    );
    this.#sweeps.add(sweep);
    return owned;
  }

  async #sweepAfter(owned: OwnedProcess, record: ProcessRecord): Promise<void> {
    await owned.ended;
    this.#running.delete(owned);
    await this.#sweeper.sweep(record);
  }
}

const ROUND_MILLISECONDS = 200;
const MAX_ROUNDS = 50;

interface Waiting {
  readonly record: ProcessRecord;
  readonly done: () => void;
  rounds: number;
}

/**
 * Ends processes that have left the group of their leader or outlived a server, and removes the record when none is left.
 *
 * Responsible for removing a record only when a scan of all processes has found none with its mark. A scan takes a few
 * milliseconds and covers all marks that were added since the last one.
 */
class ProcessSweeper {
  readonly #records: ProcessRecords;
  readonly #log: Log;
  #waiting: Waiting[] = [];
  #running = false;

  constructor(records: ProcessRecords, log: Log) {
    this.#records = records;
    this.#log = log;
  }

  /** Resolves when no process of the record is running, or when the attempt is left to the next start. */
  sweep(record: ProcessRecord): Promise<void> {
    const { promise, resolve } = Promise.withResolvers<void>();
    this.#waiting.push({ record, done: resolve, rounds: 0 });
    if (!this.#running) void this.#run();
    return promise;
  }

  async #run(): Promise<void> {
    this.#running = true;
    while (this.#waiting.length > 0) {
      await pause(ROUND_MILLISECONDS);
      const round = this.#waiting;
      this.#waiting = [];
      await this.#scan(round);
    }
    this.#running = false;
  }

  async #scan(round: readonly Waiting[]): Promise<void> {
    let alive: Set<string> | undefined;
    try {
      alive = await endMarkedProcesses(round.map(({ record }) => record));
    } catch (error) {
      this.#log.warn('Could not list the processes of this machine.', { error: String(error) });
    }
    for (const waiting of round) this.#settle(waiting, alive);
  }

  #settle(waiting: Waiting, alive: ReadonlySet<string> | undefined): void {
    const { record, done } = waiting;
    if (alive?.has(record.mark) === false) {
      this.#records.remove(record.mark);
      done();
      return;
    }
    waiting.rounds += 1;
    if (waiting.rounds < MAX_ROUNDS) {
      this.#waiting.push(waiting);
      return;
    }
    this.#log.warn('Could not end a process of an agent; the next start tries again.', {
      pid: record.process?.pid,
    });
    done();
  }
}

/**
 * Kills every process that belongs to one of the records: those that carry its mark, the recorded process itself, and the
 * others in their groups. Returns the marks for which it found a process; call it again for these until none is left,
 * because a process can start another one while it is being killed.
 */
async function endMarkedProcesses(records: readonly ProcessRecord[]): Promise<Set<string>> {
  const entries = await listProcesses();
  const marks = new Map<number, string>();
  for (const entry of entries) {
    const record = records.find((candidate) => belongsTo(entry, candidate));
    if (record !== undefined) marks.set(entry.group, record.mark);
  }
  const found = new Set<string>();
  for (const entry of entries) {
    const mark = marks.get(entry.group);
    if (mark === undefined) continue;
    found.add(mark);
    kill(entry);
  }
  return found;
}

function belongsTo(entry: ProcessEntry, { mark, process: recorded }: ProcessRecord): boolean {
  if (entry.marks.includes(mark)) return true;
  return recorded !== undefined && entry.pid === recorded.pid && entry.startTime === recorded.startTime;
}

/** Checks again: the pid may belong to another process by now. */
function kill(entry: ProcessEntry): void {
  if (!isAlive(entry)) return;
  try {
    process.kill(entry.pid, 'SIGKILL');
  } catch {
    // It has already exited.
  }
}

/**
 * Ends the agent processes that an earlier server on this folder left running when it died, whichever agent it served.
 * Resolves when none is left.
 */
export async function endLeftBehind({ folder, log }: ProcessTableOptions): Promise<void> {
  if (!existsSync(folder)) return;
  const records = new ProcessRecords(folder);
  const leftBehind = records.leftBehind();
  if (leftBehind.length === 0) return;
  log.warn('Ending agent processes that an earlier server left running.', { count: leftBehind.length });
  const sweeper = new ProcessSweeper(records, log);
  await Promise.all(leftBehind.map((record) => sweeper.sweep(record)));
}

/** The program that could not be started. */
interface AttemptedStart {
  /** As configured, because that is what the operator can correct. */
  readonly file: string;
  readonly workingDirectory: string;
}

/** Explains to the caller why a program could not be started. */
function processError(error: unknown, start: AttemptedStart): TerminalError {
  return new TerminalError(describe(errorCode(error), start), { cause: error });
}

/** Whether the message cannot be passed to the program: other messages can. */
function isAboutMessage(error: unknown): boolean {
  return hasErrorCode(error, 'E2BIG', 'ERR_INVALID_ARG_VALUE');
}

function describe(code: string | undefined, { file: path, workingDirectory }: AttemptedStart): string {
  // The folder is of no interest to callers; the log has it.
  const file = basename(path);
  // A missing working directory also causes ENOENT.
  if (!isFolder(workingDirectory)) {
    return 'The working directory of the agent does not exist or is not accessible. Its operator has to create it.';
  }
  if (code === 'ENOENT') return notFound(file);
  if (code === 'EACCES') return notExecutable(file);
  if (code === 'E2BIG') {
    return `The message is too long for the command line of "${file}". Send a shorter message.`;
  }
  if (code === 'ERR_INVALID_ARG_VALUE') {
    return `The message contains a NUL character, which cannot be passed to "${file}". Remove it and send the message again.`;
  }
  return `The program "${file}" could not be started (${code ?? 'unknown reason'}).`;
}

function isFolder(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return statSync(path).isDirectory();
  } catch {
    return false;
  }
}
