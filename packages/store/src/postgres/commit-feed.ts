import type { Client } from 'pg';
import type { CommitListeners } from '../commit-listeners.ts';
import { groupToPayloads, payloadToGroup } from './announcement.ts';
import { integer, type Row } from './columns.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import type { CommittedGroup } from './group-writer.ts';
import { MissedGroups } from './missed-groups.ts';
import { PersistentConnection, type PersistentConnectionOptions } from './persistent-connection.ts';
import { withTimeout } from './with-timeout.ts';

const COMPARE_MILLISECONDS = 1000;
/** Sent by a process that could not announce its commits for some time. */
const [MISSED_COMMITS = ''] = groupToPayloads({ writer: '', number: 0, commits: [] });

export interface CommitFeedOptions {
  settings: ConnectionSettings;
  listeners: CommitListeners;
  /** The last committed group of each writer, according to the database. */
  listCommittedGroups: () => Promise<Map<string, number>>;
  events: Pick<PersistentConnectionOptions, 'onLost' | 'onRestored'>;
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
    await withTimeout(this.#settings.timeoutMilliseconds, this.#connection.client());
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
