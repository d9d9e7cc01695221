import { setTimeout as pause } from 'node:timers/promises';
import type { Log } from '../../log.ts';
import { endMarkedProcesses } from './end-marked-processes.ts';
import type { ProcessRecord, ProcessRecords } from './process-records.ts';

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
export class ProcessSweeper {
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
