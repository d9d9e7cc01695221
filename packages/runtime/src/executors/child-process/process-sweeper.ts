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
 * Ends what left the group of its process, or outlived a server, and forgets the record when nothing is left.
 *
 * Responsible for the last word on a mark: its record goes when a look at all processes found none that carries it.
 * A look costs a few milliseconds and serves all marks that have come together since the last one.
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

  /** Resolves when nothing that belongs to the record lives, or when it was given up for the next start. */
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
      await this.#look(round);
    }
    this.#running = false;
  }

  async #look(round: readonly Waiting[]): Promise<void> {
    let alive: Set<string> | undefined;
    try {
      alive = await endMarkedProcesses(round.map(({ record }) => record));
    } catch (error) {
      this.#log.warn('The processes of this machine could not be listed.', { error: String(error) });
    }
    for (const waiting of round) this.#judge(waiting, alive);
  }

  #judge(waiting: Waiting, alive: ReadonlySet<string> | undefined): void {
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
    this.#log.warn('A process of an agent could not be ended; the next start tries again.', {
      pid: record.process?.pid,
    });
    done();
  }
}
