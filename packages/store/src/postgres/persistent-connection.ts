import { Client } from 'pg';
import { storeClosed } from '../rejections.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { pauseBeforeRetry } from './postgres-error.ts';

/** Called when a connection is lost, and when it is established again. */
export interface ConnectionEvents {
  onLost(error: unknown): void;
  onRestored(): void;
}

export interface PersistentConnectionOptions extends ConnectionEvents {
  settings: ConnectionSettings;
  /** Prepares a new connection. A failure here counts as a failure to connect. */
  prepare(client: Client): Promise<void>;
}

/**
 * A dedicated connection that reconnects. Responsible for staying connected, retrying with backoff when the connection is
 * lost. Leaves unfinished work on a lost connection to its user.
 */
export class PersistentConnection {
  readonly #options: PersistentConnectionOptions;
  readonly #closing = new AbortController();
  /** The current connection. */
  #up: Client | undefined;
  #next: Promise<Client>;
  #failure: unknown;

  constructor(options: PersistentConnectionOptions) {
    this.#options = options;
    this.#next = this.#connect();
    ignoreRejection(this.#next);
  }

  /** Resolves with the connection once it is established. Rejects after `close`. */
  client(): Promise<Client> {
    return this.#next;
  }

  /** Why it cannot connect at the moment. Undefined if it is connected or has not tried yet. */
  get failure(): unknown {
    return this.#failure;
  }

  /** Reports a connection as lost or unresponsive. Replaces it unless that has already happened. */
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
    for (let failures = 0; ; failures += 1) {
      if (this.#closing.signal.aborted) throw storeClosed();
      const client = new Client(this.#options.settings.client);
      // Without a listener, an error on an idle connection would be an uncaught exception.
      client.on('error', (error) => this.drop(client, error));
      client.on('end', () => this.drop(client, new Error('The connection was closed.')));
      try {
        await client.connect();
        await this.#options.prepare(client);
        this.#up = client;
        this.#failure = undefined;
        return client;
      } catch (error) {
        this.#failure = error;
        await end(client);
        await pauseBeforeRetry(failures, this.#closing.signal);
      }
    }
  }
}

async function end(client: Client): Promise<void> {
  try {
    await client.end();
  } catch {
    // It was already closed.
  }
}

/** Callers of `client` see the failure, but there may be none at the moment. */
function ignoreRejection(promise: Promise<unknown>): void {
  promise.catch(() => {});
}
