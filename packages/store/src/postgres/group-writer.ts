import type { CommitListener } from '../port.ts';
import { storeClosed } from '../rejections.ts';
import type { StoreError } from '../store-error.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { WriterConnection, type Group } from './writer-connection.ts';
import { failureKind, storeErrorFromPostgres } from './postgres-error.ts';
import type { ConnectionEvents } from './persistent-connection.ts';
import {
  isRejection,
  rejectionToError,
  type GroupOutcomes,
  type Outcome,
  type ReleaseLeaseWrite,
  type Write,
} from './write.ts';
import { WriteQueue } from './write-queue.ts';

/** Two connections keep the server busy: one works while the other waits for the disk. */
const CONNECTIONS = 2;
/** Fewer writes are not worth splitting over several connections. */
const WORTH_A_COMMIT = 8;
const MAX_WRITES = 512;
const SWEEP_MILLISECONDS = 200;

export interface GroupWriterOptions {
  settings: ConnectionSettings;
  events: ConnectionEvents;
  onCommits(committed: CommittedGroup): void;
}

/** The journal writes of a committed group. */
export interface CommittedGroup {
  writer: string;
  number: number;
  commits: Parameters<CommitListener>[0];
}

/**
 * Commits writes. Responsible for group commit: all writes of a tick, or those that arrive while commits are in flight, go
 * to the database in one call and cost one commit. A promise resolves after its commit (J1). No promise stays pending: if the
 * database does not respond in time, the writes are rejected as `unavailable`.
 * Leaves order to WriteQueue, applying each group exactly once to WriterConnection, checks and SQL to the functions in the
 * database.
 */
export class GroupWriter {
  readonly #options: GroupWriterOptions;
  readonly #queue = new WriteQueue<WaitingWrite>();
  readonly #connections: readonly WriterConnection[];
  readonly #idle: WriterConnection[];
  readonly #inFlight = new Set<RunningGroup>();
  readonly #sweeper: NodeJS.Timeout;
  #scheduled = false;
  #closing: Promise<void> | undefined;
  #drained: (() => void) | undefined;
  /** A write was rejected because the database did not respond, and nothing was committed since. */
  #isDown = false;

  constructor(options: GroupWriterOptions) {
    this.#options = options;
    this.#connections = Array.from(
      { length: CONNECTIONS },
      () => new WriterConnection(options.settings, options.events),
    );
    this.#idle = [...this.#connections];
    this.#sweeper = setInterval(() => this.#sweep(), SWEEP_MILLISECONDS);
    this.#sweeper.unref();
  }

  /** Resolves after the commit with the outcome of the write. Rejects if the write was rejected. */
  write(write: Write, commit?: Commit): Promise<Outcome> {
    if (this.#closing !== undefined) return Promise.reject(storeClosed());
    return new Promise((resolve, reject) => {
      this.#queue.push({ write, commit, resolve, reject, deadline: this.#deadline() });
      this.#schedule();
    });
  }

  /** Commits all accepted writes, then closes the connections. Does not wait for a database that is known to be down. */
  close(): Promise<void> {
    this.#closing ??= this.#drainAndClose();
    return this.#closing;
  }

  async #drainAndClose(): Promise<void> {
    // These only release leases, which end with the process anyway.
    this.#queue.remove(({ deadline }) => deadline === Infinity);
    if (!this.#isDrained) {
      await new Promise<void>((resolve) => {
        this.#drained = resolve;
        this.#sweep();
      });
    }
    clearInterval(this.#sweeper);
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }

  get #isDrained(): boolean {
    return this.#queue.size === 0 && [...this.#inFlight].every((group) => group.isAbandoned);
  }

  #deadline(): number {
    return performance.now() + this.#options.settings.timeoutMilliseconds;
  }

  #schedule(): void {
    if (this.#scheduled) return;
    this.#scheduled = true;
    setImmediate(() => {
      this.#scheduled = false;
      this.#start();
    });
  }

  #start(): void {
    while (this.#idle.length > 0 && this.#queue.size > 0) {
      const share = Math.max(WORTH_A_COMMIT, Math.ceil(this.#queue.size / this.#idle.length));
      const items = this.#queue.take(Math.min(share, MAX_WRITES));
      if (items.length === 0) return;
      void this.#run(this.#idle.shift() as WriterConnection, items);
    }
    if (this.#isDrained) this.#drained?.();
  }

  async #run(connection: WriterConnection, items: readonly WaitingWrite[]): Promise<void> {
    await this.#commit(connection, items);
    this.#queue.finish(items);
    this.#idle.push(connection);
    this.#schedule();
  }

  async #commit(connection: WriterConnection, items: readonly WaitingWrite[]): Promise<void> {
    const group: RunningGroup = {
      items,
      writes: items.map(({ write }) => write),
      deadline: this.#deadline(),
      isAbandoned: false,
    };
    this.#inFlight.add(group);
    try {
      const { number, outcomes } = await connection.apply(group);
      this.#isDown = false;
      if (group.isAbandoned) this.#releaseLeases(group, outcomes);
      else this.#settle(group, outcomes, connection.writer, number);
    } catch (error) {
      if (!group.isAbandoned) await this.#fail(connection, items, error);
    } finally {
      this.#inFlight.delete(group);
    }
  }

  #settle({ items }: RunningGroup, outcomes: GroupOutcomes, writer: string, number: number): void {
    const commits: Commit[] = [];
    items.forEach(({ write, commit, resolve, reject }, index) => {
      const outcome = outcomes[index];
      if (isRejection(outcome)) {
        reject(rejectionToError(write, outcome));
        return;
      }
      resolve(outcome);
      if (commit !== undefined && outcome === undefined) commits.push(commit);
    });
    if (commits.length > 0) this.#options.onCommits({ writer, number, commits });
  }

  /** Nothing was committed. If PostgreSQL rejects the data, bisect the group so that only the offending write fails. */
  async #fail(connection: WriterConnection, items: readonly WaitingWrite[], error: unknown): Promise<void> {
    if (failureKind(error) === 'rejected' && items.length > 1) {
      const middle = items.length >> 1;
      await this.#commit(connection, items.slice(0, middle));
      await this.#commit(connection, items.slice(middle));
      return;
    }
    const storeError = storeErrorFromPostgres(error);
    for (const { reject } of items) reject(storeError);
  }

  #sweep(): void {
    const now = this.#isDown && this.#closing !== undefined ? Infinity : performance.now();
    const late = this.#queue.remove(({ deadline }) => deadline <= now);
    for (const group of this.#inFlight) {
      if (group.isAbandoned || group.deadline > now) continue;
      group.isAbandoned = true;
      late.push(...group.items);
    }
    if (late.length > 0) this.#isDown = true;
    const reason = this.#connections.find(({ failure }) => failure !== undefined)?.failure;
    for (const { reject } of late) reject(storeErrorFromPostgres(reason));
    if (this.#isDrained) this.#drained?.();
  }

  /**
   * An abandoned group may have been committed after all. Its callers do not know about the leases it acquired, and nobody
   * takes over a lease of a living process: release them before anything else is written to their tasks (J7).
   */
  #releaseLeases({ writes }: RunningGroup, outcomes: GroupOutcomes): void {
    if (this.#closing !== undefined) return;
    const leases = writes.flatMap((write, index) => unknownLease(write, outcomes[index]) ?? []);
    this.#queue.pushFirst(
      leases.map((write) => ({
        write,
        commit: undefined,
        resolve: () => {},
        reject: () => {},
        deadline: Infinity,
      })),
    );
  }
}

/** The write that releases the lease an abandoned write may have acquired. */
function unknownLease(write: Write, outcome: Outcome): ReleaseLeaseWrite | undefined {
  if (write.kind === 'release-lease') return write;
  if (write.kind === 'acquire-lease' && typeof outcome === 'number') {
    return { kind: 'release-lease', task_id: write.task_id, fence: outcome };
  }
  if (write.kind === 'create-task' && write.holder !== undefined && outcome === undefined) {
    return { kind: 'release-lease', task_id: write.task_id, fence: 1 };
  }
  return undefined;
}

type Commit = CommittedGroup['commits'][number];

interface WaitingWrite {
  write: Write;
  /** What to announce if the write succeeds. */
  commit: Commit | undefined;
  resolve: (outcome: Outcome) => void;
  reject: (error: StoreError) => void;
  deadline: number;
}

interface RunningGroup extends Group {
  readonly items: readonly WaitingWrite[];
  readonly deadline: number;
  isAbandoned: boolean;
}
