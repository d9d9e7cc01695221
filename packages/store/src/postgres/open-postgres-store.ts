import { Client } from 'pg';
import { BackedStore, CommitListeners } from '../backed-store.ts';
import type { Store } from '../port.ts';
import { toConnectionSettings, toSchemaName, type ConnectionSettings } from './connection-settings.ts';
import { migrate } from './migrations.ts';
import { PostgresBackend } from './postgres-backend.ts';
import type { ConnectionEvents } from './persistent-connection.ts';
import { failureKind, isMisconfigured, pauseBeforeRetry, storeErrorFromPostgres } from './postgres-error.ts';

/** A log for connection losses. Fields contain numbers and codes, never content or secrets. */
export interface PostgresStoreLog {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
}

/** How to reach PostgreSQL, and how the store uses it. */
export interface PostgresStoreOptions {
  /** For example `postgres://user:password@host:5432/database`. */
  url: string;
  /**
   * The schema for all tables. Created if missing.
   *
   * @default 'holdword'
   */
  schema?: string;
  /**
   * Connections for reading. Three more are used for writing and for notifications.
   *
   * @default 8
   */
  poolSize?: number;
  /**
   * How long a call waits for an unresponsive server before it is rejected as `unavailable`.
   *
   * @default 10000
   */
  timeoutMilliseconds?: number;
  /** Where lost connections are logged. By default nowhere. */
  log?: PostgresStoreLog;
}

const DEFAULT_POOL_SIZE = 8;
const DEFAULT_TIMEOUT_MILLISECONDS = 10_000;
const noopLog: PostgresStoreLog = { info: () => {}, warn: () => {} };

/** Creates or migrates the schema if needed. Documented for users in `open-stores.ts`. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, schema = 'holdword', poolSize = DEFAULT_POOL_SIZE, log = noopLog } = options;
  const timeout = options.timeoutMilliseconds ?? DEFAULT_TIMEOUT_MILLISECONDS;
  const settings = toConnectionSettings(url, toSchemaName(schema), timeout);
  await prepareDatabase(settings);
  const listeners = new CommitListeners();
  const backend = new PostgresBackend(settings, poolSize, listeners, connectionLog(log));
  try {
    await backend.ready();
    return new BackedStore(backend, listeners);
  } catch (error) {
    await backend.close();
    throw error;
  }
}

/**
 * Logs once that connections are lost, and once that all are back: an outage ends all of them at the same moment. Both are
 * warnings, so that a log that shows the beginning shows the end.
 */
function connectionLog(log: PostgresStoreLog): ConnectionEvents {
  let lost = 0;
  return {
    onLost() {
      lost += 1;
      if (lost === 1) log.warn('Lost the connection to PostgreSQL; reconnecting.');
    },
    onRestored() {
      lost -= 1;
      if (lost === 0) log.warn('Reconnected to PostgreSQL.');
    },
  };
}

/** Migrates the schema to this version. Waits for a server that is still starting until the timeout. */
async function prepareDatabase(settings: ConnectionSettings): Promise<void> {
  const deadline = performance.now() + settings.timeoutMilliseconds;
  for (let failures = 0; ; failures += 1) {
    try {
      await connectAndMigrate(settings);
      return;
    } catch (error) {
      const isRetryable = failureKind(error) === 'lost' && !isMisconfigured(error);
      if (!isRetryable || performance.now() >= deadline) throw storeErrorFromPostgres(error);
      await pauseBeforeRetry(failures);
    }
  }
}

async function connectAndMigrate({ client: config, schema }: ConnectionSettings): Promise<void> {
  const client = new Client(config);
  // An error that ends the connection also fails the running statement, which is handled.
  client.on('error', () => {});
  try {
    await client.connect();
    await migrate(client, schema);
    await client.query(`
      DELETE FROM ${schema.quoted}.writers WHERE seen_at < ${schema.quoted}.now_milliseconds() - 604800000`);
  } finally {
    await client.end().catch(() => {});
  }
}
