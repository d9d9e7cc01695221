import type { Store } from '../port.ts';
import { toConnectionSettings } from './connection-settings.ts';
import { PostgresStore } from './postgres-store.ts';
import { prepareDatabase } from './prepare-database.ts';
import { toSchemaName } from './schema-name.ts';

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
  const store = new PostgresStore(settings, poolSize, log);
  try {
    await store.ready();
    return store;
  } catch (error) {
    await store.close();
    throw error;
  }
}
