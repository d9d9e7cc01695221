import type { Client } from 'pg';
import { withTimeout } from '@holdword/protocol/internal';
import type { CommitListeners } from '../backed-store.ts';
import { fromDatabaseText, integer, toDatabaseText, type Row } from '../sql/rows.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import type { CommittedGroup } from './group-writer.ts';
import { storeErrorFromPostgres } from './postgres-error.ts';
import { PersistentConnection, type ConnectionEvents } from './persistent-connection.ts';

const REASON_MILLISECONDS = 500;
const COMPARE_MILLISECONDS = 1000;

export interface CommitFeedOptions {
  settings: ConnectionSettings;
  listeners: CommitListeners;
  /** The last committed group of each writer, according to the database. */
  listCommittedGroups: () => Promise<Map<string, number>>;
  events: ConnectionEvents;
}

/**
 * Exchanges commit notifications with other processes over one connection. Responsible for hints that may be late but are
 * never lost: a notification is sent after its commit, so it is missed if the process dies in between or the connection
 * breaks; then all listeners are told to read again. Leaves correctness to sequence numbers (J2).
 */
export class CommitFeed {
  readonly #listeners: CommitListeners;
  readonly #settings: ConnectionSettings;
  readonly #listCommittedGroups: () => Promise<Map<string, number>>;
  readonly #connection: PersistentConnection;
  readonly #comparing: NodeJS.Timeout;
  readonly #missed = new MissedGroups();
  #client: Client | undefined;
  #wasCutOff = false;
  #unsent: string[] = [];
  #isSending = false;
  #isComparing = false;

  constructor(options: CommitFeedOptions) {
    const { settings, events } = options;
    this.#settings = settings;
    this.#listeners = options.listeners;
    this.#listCommittedGroups = options.listCommittedGroups;
    this.#connection = new PersistentConnection({
      ...events,
      settings,
      prepare: (client) => this.#listen(client),
      onLost: (error) => {
        this.#client = undefined;
        this.#wasCutOff = true;
        events.onLost(error);
      },
    });
    this.#comparing = setInterval(() => void this.#compare(), COMPARE_MILLISECONDS);
    this.#comparing.unref();
  }

  /** Resolves when notifications arrive. */
  async ready(): Promise<void> {
    // To listen, it also reads over another connection, which has the same timeout: its reason is worth waiting for.
    const timeout = this.#settings.timeoutMilliseconds + REASON_MILLISECONDS;
    await withTimeout(this.#connection.client(), timeout, () =>
      storeErrorFromPostgres(this.#connection.failure),
    );
  }

  /** Announces a group of this process, to its own listeners immediately and to other processes soon. */
  announce(group: CommittedGroup): void {
    this.#listeners.announce(group.commits);
    this.#missed.announced(group.writer, group.number);
    if (this.#client === undefined) return;
    this.#unsent.push(...groupToPayloads(group));
    if (!this.#isSending) void this.#send(this.#client);
  }

  async close(): Promise<void> {
    clearInterval(this.#comparing);
    await this.#connection.close();
  }

  async #listen(client: Client): Promise<void> {
    const { rows } = await client.query<Row>('SELECT pg_backend_pid() AS process');
    const ownProcess = integer(rows[0] ?? {}, 'process');
    client.on('notification', ({ payload = '', processId }) => {
      if (processId !== ownProcess) this.#receive(payload);
    });
    await client.query(`LISTEN ${client.escapeIdentifier(this.#settings.schema.channel)}`);
    this.#missed.begin(await this.#listCommittedGroups());
    this.#unsent = this.#wasCutOff ? [MISSED_COMMITS] : [];
    this.#client = client;
    this.#listeners.announceMissed();
    void this.#send(client);
  }

  #receive(payload: string): void {
    const group = payloadToGroup(payload);
    if (group === undefined) return;
    this.#missed.announced(group.writer, group.number);
    if (group.commits.length === 0) this.#listeners.announceMissed();
    else this.#listeners.announce(group.commits);
  }

  /** Groups that are announced while a notification is being sent are part of the next one. */
  async #send(client: Client): Promise<void> {
    this.#isSending = true;
    try {
      while (this.#unsent.length > 0 && this.#client === client) {
        const payloads = this.#unsent;
        this.#unsent = [];
        await client.query({
          name: 'notify',
          text: 'SELECT pg_notify($1, payload) FROM unnest($2::text[]) AS payload',
          values: [this.#settings.schema.channel, payloads],
        });
      }
    } catch (error) {
      this.#connection.drop(client, error);
    } finally {
      this.#isSending = false;
    }
  }

  async #compare(): Promise<void> {
    if (this.#client === undefined || this.#isComparing || this.#listeners.size === 0) return;
    this.#isComparing = true;
    try {
      if (this.#missed.compare(await this.#listCommittedGroups())) this.#listeners.announceMissed();
    } catch {
      // The server is down; listeners read again after the reconnect.
    } finally {
      this.#isComparing = false;
    }
  }
}

/** Compares the journal groups announced by each writer with those committed according to the database. */
export class MissedGroups {
  readonly #announced = new Map<string, number>();
  /** The committed groups at the last comparison. */
  #committed = new Map<string, number>();

  /** Counts everything committed so far as announced: the caller reads everything anyway. */
  begin(committed: ReadonlyMap<string, number>): void {
    this.#announced.clear();
    for (const [writer, number] of committed) this.#announced.set(writer, number);
    this.#committed = new Map(committed);
  }

  announced(writer: string, number: number): void {
    if (number > (this.#announced.get(writer) ?? 0)) this.#announced.set(writer, number);
  }

  /**
   * Whether a group that was already committed at the previous comparison has still not been announced: a notification does
   * not take that long. Each missed group is reported once.
   */
  compare(committed: ReadonlyMap<string, number>): boolean {
    let isMissing = false;
    for (const [writer, number] of this.#committed) {
      if ((this.#announced.get(writer) ?? 0) >= number) continue;
      isMissing = true;
      this.#announced.set(writer, number);
    }
    for (const writer of this.#announced.keys()) if (!committed.has(writer)) this.#announced.delete(writer);
    this.#committed = new Map(committed);
    return isMissing;
  }
}

/** A notification is limited to 8,000 bytes; the rest is for the writer and the number. */
const MAX_TASKS_BYTES = 7800;
const SEQUENCE_BYTES = 24;

/** Encodes a group as the payloads of as many notifications as it needs. */
export function groupToPayloads({ writer, number, commits }: CommittedGroup): string[] {
  const payloads: string[] = [];
  let tasks: (string | number)[] = [];
  let bytes = 0;
  for (const { taskId, lastSequence } of commits) {
    const id = toDatabaseText(taskId);
    const size = Buffer.byteLength(JSON.stringify(id)) + SEQUENCE_BYTES;
    if (bytes + size > MAX_TASKS_BYTES && tasks.length > 0) {
      payloads.push(JSON.stringify([writer, number, tasks]));
      tasks = [];
      bytes = 0;
    }
    tasks.push(id, lastSequence);
    bytes += size;
  }
  payloads.push(JSON.stringify([writer, number, tasks]));
  return payloads;
}

/** Returns undefined for a payload that Holdword has not sent. */
export function payloadToGroup(payload: string): CommittedGroup | undefined {
  let value: unknown;
  try {
    value = JSON.parse(payload);
  } catch {
    return undefined;
  }
  if (!Array.isArray(value)) return undefined;
  const [writer, number, tasks] = value as unknown[];
  if (typeof writer !== 'string' || typeof number !== 'number' || !Array.isArray(tasks)) return undefined;
  const commits: { taskId: string; lastSequence: number }[] = [];
  for (let index = 0; index < tasks.length; index += 2) {
    const [id, lastSequence] = tasks.slice(index, index + 2) as unknown[];
    if (typeof id !== 'string' || typeof lastSequence !== 'number') return undefined;
    commits.push({ taskId: fromDatabaseText(id), lastSequence });
  }
  return { writer, number, commits };
}

/** Sent by a process that could not announce its commits for some time. */
const [MISSED_COMMITS = ''] = groupToPayloads({ writer: '', number: 0, commits: [] });
