import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { CommitListener } from '../port.ts';
import { storeClosed, unavailable } from '../rejections.ts';
import { StoreError } from '../store-error.ts';
import { isRejection, type Outcome, type ThreadReply, type Write, type WriteRejection } from './write.ts';

/**
 * The main thread's handle on the writer thread. Responsible for group commit: all writes of a tick, or those that arrive
 * while a commit is in flight, go to the thread as one message and cost one disk sync. A promise resolves after its commit
 * (J1); writes are applied in the order in which they were made (J2). Leaves checks and SQL to the thread, and the decision
 * to send a group early to GroupPace. No promise stays pending: if the thread dies, every write is rejected.
 */
export class GroupWriter {
  readonly #worker: Worker;
  readonly #onCommits: CommitListener;
  readonly #exited: Promise<void>;
  readonly #pace = new GroupPace();
  #writes: Write[] = [];
  #waiting: WaitingWrite[] = [];
  readonly #inFlight: WaitingWrite[][] = [];
  #scheduled = false;
  #failure: StoreError | undefined;
  #closing: Promise<void> | undefined;
  #drained: (() => void) | undefined;

  constructor(file: string, onCommits: CommitListener) {
    this.#onCommits = onCommits;
    // The extension is .ts in the repository and .js once built.
    const thread = new URL(`./writer-thread${extname(import.meta.url)}`, import.meta.url);
    this.#worker = new Worker(thread, { workerData: file });
    this.#worker.on('message', (reply: ThreadReply) => this.#receive(reply));
    this.#worker.on('error', (error) => this.#fail(error));
    this.#exited = new Promise((resolve) => {
      this.#worker.on('exit', () => {
        this.#fail(undefined);
        resolve();
      });
    });
  }

  /** Resolves after the commit with the outcome of the write. Rejects if the write was rejected. */
  write(write: Write, commit?: Commit): Promise<Outcome> {
    if (this.#closing !== undefined) return Promise.reject(storeClosed());
    if (this.#failure !== undefined) return Promise.reject(this.#failure);
    return new Promise((resolve, reject) => {
      this.#writes.push(write);
      this.#waiting.push({ resolve, reject, commit });
      if (this.#maySend()) this.#send();
      else if (this.#inFlight.length === 0) this.#schedule();
    });
  }

  /** Commits all accepted writes, then stops the thread. */
  close(): Promise<void> {
    this.#closing ??= this.#drainAndExit();
    return this.#closing;
  }

  async #drainAndExit(): Promise<void> {
    if (this.#failure === undefined && (this.#inFlight.length > 0 || this.#writes.length > 0)) {
      await new Promise<void>((resolve) => (this.#drained = resolve));
    }
    this.#worker.postMessage(null);
    await this.#exited;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    // Right after the code that writes: in a busy process, such as a gateway, setImmediate would fire late.
    process.nextTick(() => {
      this.#scheduled = false;
      if (this.#inFlight.length === 0 || this.#maySend()) this.#send();
    });
  }

  #maySend(): boolean {
    return this.#pace.maySend(this.#writes.length, this.#inFlight.length);
  }

  #send(): void {
    if (this.#writes.length === 0) {
      this.#drained?.();
      return;
    }
    this.#worker.postMessage(this.#writes);
    this.#inFlight.push(this.#waiting);
    this.#writes = [];
    this.#waiting = [];
  }

  #receive({ milliseconds, result }: ThreadReply): void {
    this.#pace.learn(milliseconds);
    const group = this.#inFlight.shift() ?? [];
    this.#schedule();
    if (isRejection(result)) {
      for (const write of group) write.reject(rejectionError(result));
      return;
    }
    const commits: Commit[] = [];
    group.forEach(({ resolve, reject, commit }, index) => {
      const outcome = result[index];
      if (isRejection(outcome)) {
        reject(rejectionError(outcome));
        return;
      }
      resolve(outcome);
      if (commit !== undefined && typeof outcome !== 'object') commits.push(commit);
    });
    if (commits.length > 0) this.#onCommits(commits);
  }

  #fail(cause: unknown): void {
    this.#failure ??= unavailable('the writer thread has stopped; restart Holdword', cause);
    const abandoned = [...this.#inFlight.flat(), ...this.#waiting];
    this.#inFlight.length = 0;
    this.#writes = [];
    this.#waiting = [];
    for (const write of abandoned) write.reject(this.#failure);
    this.#drained?.();
  }
}

type Commit = Parameters<CommitListener>[0][number];

interface WaitingWrite {
  resolve: (outcome: Outcome) => void;
  reject: (error: StoreError) => void;
  /** What to announce if the write succeeds. */
  commit: Commit | undefined;
}

function rejectionError({ rejected, message, cause, isDiskFull = false }: WriteRejection): StoreError {
  return new StoreError(rejected, message, {
    isDiskFull,
    ...(cause !== undefined && { cause: new Error(cause) }),
  });
}

/** This many writes are worth a separate sync. */
const ENOUGH_WRITES = 10;
/** Groups sent to the writer thread at once; more would only queue there. */
const MAX_IN_FLIGHT = 3;
/** A disk that needs longer for a commit gets fewer, larger groups. */
const FAST_MILLISECONDS = 2.5;
const WEIGHT_OF_NEWEST = 0.2;

/**
 * Decides whether to send a group while another is in flight. On a fast disk this keeps both threads busy, because the
 * callers waiting for a commit all continue at once. On a slow disk it would spend several syncs where one is enough.
 */
export class GroupPace {
  #commitMilliseconds = Number.POSITIVE_INFINITY;

  /** Records how long a commit took. */
  learn(milliseconds: number): void {
    const known = this.#commitMilliseconds;
    this.#commitMilliseconds =
      known === Number.POSITIVE_INFINITY ? milliseconds : known + (milliseconds - known) * WEIGHT_OF_NEWEST;
  }

  /** Whether to send this many writes now instead of at the end of the tick or after the group in flight. */
  maySend(waitingWrites: number, groupsInFlight: number): boolean {
    return (
      waitingWrites >= ENOUGH_WRITES &&
      groupsInFlight < MAX_IN_FLIGHT &&
      this.#commitMilliseconds <= FAST_MILLISECONDS
    );
  }
}
