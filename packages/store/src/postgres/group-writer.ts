import type { CommitListener } from '../port.ts';
import { storeClosed } from '../refusals.ts';
import type { StoreError } from '../store-error.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { WriterConnection, type Group } from './writer-connection.ts';
import { failureKind, serverSilent, storeErrorFromPostgres } from './postgres-error.ts';
import { refusalToError } from './refusal-to-error.ts';
import type { StandingConnectionOptions } from './standing-connection.ts';
import { isRefusal, type GroupOutcomes, type Outcome, type ReleaseLeaseWrite, type Write } from './write.ts';
import { WriteQueue } from './write-queue.ts';

/** Two keep the server busy: one works while the other waits for the disk, or both work on what has come at once. */
const CONNECTIONS = 2;
/** Fewer are not worth a commit of their own when there is another connection to share them with. */
const WORTH_A_COMMIT = 8;
const MAX_WRITES = 512;
const SWEEP_MILLISECONDS = 200;

export interface GroupWriterOptions {
  settings: ConnectionSettings;
  events: Pick<StandingConnectionOptions, 'onLost' | 'onRestored'>;
  onCommits(committed: CommittedGroup): void;
}

/** What a group has added to journals. */
export interface CommittedGroup {
  writer: string;
  number: number;
  commits: Parameters<CommitListener>[0];
}

/**
 * The writing side. Responsible for groups: all writes of a tick, or all that arrive while commits are under way, go to the
 * database in one call and cost one commit. A promise resolves after its commit (J1). No promise is left waiting: when the
 * database does not answer in time, its writes are rejected as unavailable.
 * Leaves order to WriteQueue, applying a group once to WriterConnection, checks and SQL to the functions in the database.
 */
export class GroupWriter {
  readonly #options: GroupWriterOptions;
  readonly #queue = new WriteQueue<WaitingWrite>();
  readonly #connections: readonly WriterConnection[];
  readonly #idle: WriterConnection[];
  readonly #underWay = new Set<RunningGroup>();
  readonly #sweeper: NodeJS.Timeout;
  #scheduled = false;
  #closing: Promise<void> | undefined;
  #drained: (() => void) | undefined;

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

  /** Resolves after the commit with what became of the write; rejects when it was refused. */
  write(write: Write, commit?: Commit): Promise<Outcome> {
    if (this.#closing !== undefined) return Promise.reject(storeClosed());
    return new Promise((resolve, reject) => {
      this.#queue.push({ write, commit, resolve, reject, deadline: this.#deadline() });
      this.#schedule();
    });
  }

  /** Commits what was accepted, then ends the connections. */
  close(): Promise<void> {
    this.#closing ??= this.#drainAndClose();
    return this.#closing;
  }

  async #drainAndClose(): Promise<void> {
    // Leases that nobody knows of end with the process.
    this.#queue.remove(({ deadline }) => deadline === Infinity);
    if (!this.#isDrained) await new Promise<void>((resolve) => (this.#drained = resolve));
    clearInterval(this.#sweeper);
    await Promise.all(this.#connections.map((connection) => connection.close()));
  }

  get #isDrained(): boolean {
    return this.#queue.size === 0 && [...this.#underWay].every((group) => group.isAbandoned);
  }

  #deadline(): number {
    return Date.now() + this.#options.settings.patienceMilliseconds;
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
    this.#underWay.add(group);
    try {
      const { number, outcomes } = await connection.apply(group);
      if (group.isAbandoned) this.#giveBackLeases(group, outcomes);
      else this.#settle(group, outcomes, connection.writer, number);
    } catch (error) {
      if (!group.isAbandoned) await this.#refuse(connection, items, error);
    } finally {
      this.#underWay.delete(group);
    }
  }

  #settle({ items }: RunningGroup, outcomes: GroupOutcomes, writer: string, number: number): void {
    const commits: Commit[] = [];
    items.forEach(({ write, commit, resolve, reject }, index) => {
      const outcome = outcomes[index];
      if (isRefusal(outcome)) {
        reject(refusalToError(write, outcome));
        return;
      }
      resolve(outcome);
      if (commit !== undefined && outcome === undefined) commits.push(commit);
    });
    if (commits.length > 0) this.#options.onCommits({ writer, number, commits });
  }

  /** Nothing was committed. What PostgreSQL does not take is found by halving, so that its neighbours go through. */
  async #refuse(connection: WriterConnection, items: readonly WaitingWrite[], error: unknown): Promise<void> {
    if (failureKind(error) === 'refused' && items.length > 1) {
      const middle = items.length >> 1;
      await this.#commit(connection, items.slice(0, middle));
      await this.#commit(connection, items.slice(middle));
      return;
    }
    const storeError = storeErrorFromPostgres(error);
    for (const { reject } of items) reject(storeError);
  }

  #sweep(): void {
    const now = Date.now();
    const late = this.#queue.remove(({ deadline }) => deadline <= now);
    for (const group of this.#underWay) {
      if (group.isAbandoned || group.deadline > now) continue;
      group.isAbandoned = true;
      late.push(...group.items);
    }
    for (const { reject } of late) reject(serverSilent());
    if (this.#isDrained) this.#drained?.();
  }

  /**
   * An abandoned group may have been committed after all. Nobody knows of the leases it took, and a lease of a living
   * process is never taken over: they go back before anything else is done with their tasks (J7).
   */
  #giveBackLeases({ writes }: RunningGroup, outcomes: GroupOutcomes): void {
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

/** How to give back the lease that an abandoned write may have left. */
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
  /** What to announce when the write succeeds. */
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
