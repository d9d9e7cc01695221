import { Client } from 'pg';
import { storeClosed } from '../refusals.ts';
import { backoff } from './backoff.ts';
import type { ConnectionSettings } from './connection-settings.ts';

export interface StandingConnectionOptions {
  settings: ConnectionSettings;
  /** Makes a fresh connection ready for its work. A failure counts as one of the connection. */
  prepare(client: Client): Promise<void>;
  onLost(error: unknown): void;
  onRestored(): void;
}

/**
 * A connection of its own that comes back. Responsible for being connected, and for trying again with growing pauses
 * whenever it is not. Leaves to its user what to do about work that a lost connection leaves behind.
 */
export class StandingConnection {
  readonly #options: StandingConnectionOptions;
  readonly #closing = new AbortController();
  /** The connection that is up. */
  #up: Client | undefined;
  #next: Promise<Client>;

  constructor(options: StandingConnectionOptions) {
    this.#options = options;
    this.#next = this.#connect();
    ignoreRejection(this.#next);
  }

  /** The connection, once there is one. Rejects when it is closed. */
  client(): Promise<Client> {
    return this.#next;
  }

  /** Replaces this connection, if that has not happened yet: it does not answer or was cut off. */
  drop(client: Client, error: unknown): void {
    if (this.#up !== client) return;
    this.#up = undefined;
    void end(client);
    if (this.#closing.signal.aborted) return;
    this.#options.onLost(error);
    this.#next = this.#connect().then((restored) => {
      this.#options.onRestored();
      return restored;
    });
    ignoreRejection(this.#next);
  }

  async close(): Promise<void> {
    this.#closing.abort();
    const client = await this.#next.catch(() => undefined);
    this.#up = undefined;
    this.#next = Promise.reject<Client>(storeClosed());
    ignoreRejection(this.#next);
    if (client !== undefined) await end(client);
  }

  async #connect(): Promise<Client> {
    const pauses = backoff();
    for (;;) {
      if (this.#closing.signal.aborted) throw storeClosed();
      const client = new Client(this.#options.settings.client);
      // Without a listener an error of an idle connection would be thrown into the process.
      client.on('error', (error) => this.drop(client, error));
      client.on('end', () => this.drop(client, new Error('The connection has ended.')));
      try {
        await client.connect();
        await this.#options.prepare(client);
        this.#up = client;
        return client;
      } catch {
        await end(client);
        await pauses.next(this.#closing.signal);
      }
    }
  }
}

async function end(client: Client): Promise<void> {
  try {
    await client.end();
  } catch {
    // It was over already.
  }
}

/** Whoever asks for the connection learns of its failure; nobody may be asking. */
function ignoreRejection(promise: Promise<unknown>): void {
  promise.catch(() => {});
}
