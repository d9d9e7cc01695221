import { backoffDelay, pause } from '@holdword/protocol/internal';
import { errorReason, type Log } from '../log.ts';
import { type HostConnection, HostError } from './host-connection.ts';
import { type News, type Receipt, receiptsSchema, REPORT_BYTES, type WorkerState } from './wire.ts';
import type { WorkerTurn } from './worker-turn.ts';

export interface WorkerReportsOptions {
  readonly connection: HostConnection;
  readonly turns: ReadonlyMap<string, WorkerTurn>;
  readonly log: Log;
  readonly state: () => WorkerState;
  readonly onNews: (news: readonly News[], sentAt: number) => void;
  /** The turn is over at the host. */
  readonly onOver: (turn: WorkerTurn) => void;
  /** Waits until another attempt makes sense. */
  readonly recover: (error: unknown, failures: number) => Promise<void>;
  readonly signal: AbortSignal;
}

/** Reports on their way at the same time; a turn has one of them at most. */
const MOST_REPORTS = 4;
const BACKOFF = { firstMilliseconds: 200, longestMilliseconds: 15_000 };
const REFUSED = 'The host refused what the agent wrote. The reason is in the log of its worker.';

/**
 * Sends the events of a worker's turns to the host.
 *
 * Responsible for sending them again, under the same numbers, until the host has them or says that the turn is another's, and for
 * few requests: what several turns have written goes into one. Leaves the numbers to WorkerTurn.
 */
export class WorkerReports {
  readonly #options: WorkerReportsOptions;
  #open = 0;
  #failures = 0;
  #isPlanned = false;

  constructor(options: WorkerReportsOptions) {
    this.#options = options;
  }

  /** Everything that is written in this tick goes into one report. */
  plan(): void {
    if (this.#isPlanned) return;
    this.#isPlanned = true;
    setImmediate(() => {
      this.#isPlanned = false;
      while (this.#open < MOST_REPORTS && this.#next().length > 0) void this.#send(this.#next());
    });
  }

  /** Renews the leases, whatever else is on its way. Returns whether the host has answered. Never rejects. */
  sayAlive(): Promise<boolean> {
    return this.#send([]);
  }

  #next(): WorkerTurn[] {
    return [...this.#options.turns.values()].filter((turn) => turn.hasEvents && !turn.isReporting);
  }

  /** Never rejects. */
  async #send(candidates: readonly WorkerTurn[]): Promise<boolean> {
    const { connection, state, onNews, signal } = this.#options;
    const turns: WorkerTurn[] = [];
    const batches: string[] = [];
    let room = REPORT_BYTES;
    for (const turn of candidates) {
      if (room <= 0) break;
      const batch = turn.batch(room);
      if (batch === undefined) continue;
      room -= batch.length;
      turns.push(turn);
      batches.push(batch);
      turn.isReporting = true;
    }
    this.#open += 1;
    let isAnswered = false;
    const sentAt = performance.now();
    try {
      const body = `${JSON.stringify(state()).slice(0, -1)},"batches":[${batches.join(',')}]}`;
      const { receipts, news } = await connection.post('report', body, receiptsSchema);
      this.#failures = 0;
      isAnswered = true;
      onNews(news as News[], sentAt);
      const isLate = receipts.map((receipt) => this.#settle(receipt)).includes(true);
      if (isLate) await pause(delayAfter(undefined, 1), signal);
    } catch (error) {
      await this.#failed(error, turns);
    } finally {
      for (const turn of turns) turn.isReporting = false;
      this.#open -= 1;
    }
    if (this.#next().length > 0) this.plan();
    return isAnswered;
  }

  async #failed(error: unknown, turns: readonly WorkerTurn[]): Promise<void> {
    const { log, recover } = this.#options;
    if (error instanceof HostError && error.isInvalid) {
      log.error('The host refuses a report. The turns in it fail.', { error: errorReason(error) });
      for (const turn of turns) turn.fail(REFUSED);
      return;
    }
    // A report that only says that the worker is alive is not repeated: the next one says the same.
    if (turns.length > 0) this.#failures += 1;
    await recover(error, turns.length > 0 ? this.#failures - 1 : 0);
  }

  /** Returns whether the batch has to be sent again later. */
  #settle({ taskId, fence, outcome, acknowledged = 0 }: Receipt): boolean {
    const turn = this.#options.turns.get(taskId);
    if (turn?.fence !== fence) return false;
    if (outcome === 'later') return true;
    if (outcome !== 'stale') turn.acknowledge(outcome === 'ended' ? Infinity : acknowledged);
    const isOver = turn.isOver || outcome !== 'stored';
    // What is over at the host is over here, whatever the agent still does.
    if (isOver && !turn.isOver) turn.abort('stale');
    if (isOver) this.#options.onOver(turn);
    return false;
  }
}

export function delayAfter(error: unknown, failures: number): number {
  const askedMilliseconds = error instanceof HostError ? error.retryAfterMilliseconds : undefined;
  return backoffDelay(failures, { ...BACKOFF, askedMilliseconds });
}
