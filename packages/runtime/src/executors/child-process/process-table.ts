import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Log } from '../../log.ts';
import { endLeftBehind } from './end-left-behind.ts';
import { OwnedProcess } from './owned-process.ts';
import { processError } from './process-error.ts';
import { identityOf } from './process-identity.ts';
import { markVariable, newMark } from './process-mark.ts';
import { ProcessRecords, type ProcessRecord } from './process-records.ts';
import { ProcessSweeper } from './process-sweeper.ts';

export interface ProcessTableOptions {
  /** Where running processes are recorded, so that the next start can end those that a crash left running. */
  folder: string;
  log: Log;
}

export interface ProcessCommand {
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
  readonly #killAll = (): void => {
    for (const owned of this.#running) owned.kill();
  };
  #closed = false;

  private constructor(options: ProcessTableOptions) {
    this.#records = new ProcessRecords(options.folder);
    this.#sweeper = new ProcessSweeper(this.#records, options.log);
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

  /** The number of running processes. */
  get size(): number {
    return this.#running.size;
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
      return this.#own(new OwnedProcess(child), mark);
    } catch (error) {
      this.#records.remove(mark);
      throw processError(error, command);
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
