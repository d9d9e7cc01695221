import type { Client } from 'pg';
import type { CommitListeners } from '../commit-listeners.ts';
import { groupToPayloads, payloadToGroup } from './announcement.ts';
import { integer, type Row } from './columns.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import type { CommittedGroup } from './group-writer.ts';
import { MissedGroups } from './missed-groups.ts';
import { StandingConnection, type StandingConnectionOptions } from './standing-connection.ts';
import { within } from './within.ts';

const COMPARE_MILLISECONDS = 1000;
/** Sent by a process that could not announce its commits for a while. */
const [LOOK_AGAIN = ''] = groupToPayloads({ writer: '', number: 0, commits: [] });

export interface CommitFeedOptions {
  settings: ConnectionSettings;
  listeners: CommitListeners;
  /** How far the database says each writer has come. */
  listCommittedGroups: () => Promise<Map<string, number>>;
  events: Pick<StandingConnectionOptions, 'onLost' | 'onRestored'>;
}

/**
 * Tells this process of the commits of others, and others of its own, over one connection. Responsible for hints that may
 * come late but never stay away: a notification is sent after its commit, so a process that dies in between, or a
 * connection that breaks, loses it; then everybody is asked to look again. Leaves the truth to sequence numbers (J2).
 */
export class CommitFeed {
  readonly #listeners: CommitListeners;
  readonly #settings: ConnectionSettings;
  readonly #listCommittedGroups: () => Promise<Map<string, number>>;
  readonly #connection: StandingConnection;
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
    this.#connection = new StandingConnection({
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

  /** Resolves when it hears of commits. */
  async ready(): Promise<void> {
    await within(this.#settings.patienceMilliseconds, this.#connection.client());
  }

  /** Announces a group of this process, here at once and elsewhere soon. */
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
      if (processId !== ownProcess) this.#hear(payload);
    });
    await client.query(`LISTEN ${client.escapeIdentifier(this.#settings.schema.channel)}`);
    this.#missed.begin(await this.#listCommittedGroups());
    this.#unsent = this.#wasCutOff ? [LOOK_AGAIN] : [];
    this.#client = client;
    this.#listeners.lookAgain();
    void this.#send(client);
  }

  #hear(payload: string): void {
    const group = payloadToGroup(payload);
    if (group === undefined) return;
    this.#missed.announced(group.writer, group.number);
    if (group.commits.length === 0) this.#listeners.lookAgain();
    else this.#listeners.announce(group.commits);
  }

  /** Groups that are announced while a notification is being sent go with the next one. */
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
      if (this.#missed.compare(await this.#listCommittedGroups())) this.#listeners.lookAgain();
    } catch {
      // The server is away, and everybody looks again once it is back.
    } finally {
      this.#isComparing = false;
    }
  }
}
