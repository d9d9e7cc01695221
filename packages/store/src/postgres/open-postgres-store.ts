import type { Store } from '../port.ts';
import { toConnectionSettings } from './connection-settings.ts';
import { PostgresStore } from './postgres-store.ts';
import { prepareDatabase } from './prepare-database.ts';
import { toSchemaName } from './schema-name.ts';

/** Where the store reports to its operator. Fields hold figures and codes, never content or secrets. */
export interface PostgresStoreLog {
  info(message: string, fields?: Record<string, unknown>): void;
  warn(message: string, fields?: Record<string, unknown>): void;
}

export interface PostgresStoreOptions {
  /** `postgres://user:password@host:5432/database` */
  url: string;
  /** Holds all tables; created when missing. */
  schema?: string;
  /** Connections for reading. Three more write and listen. */
  poolSize?: number;
  /** How long a call waits for a server that does not answer before it is rejected as `unavailable`. */
  patienceMilliseconds?: number;
  log?: PostgresStoreLog;
}

const DEFAULT_POOL_SIZE = 8;
const DEFAULT_PATIENCE_MILLISECONDS = 10_000;
const NO_LOG: PostgresStoreLog = { info: () => {}, warn: () => {} };

/** Rejects with a StoreError: `newer-version`, `corrupt`, `unavailable`. */
export async function openPostgresStore(options: PostgresStoreOptions): Promise<Store> {
  const { url, schema = 'holdword', poolSize = DEFAULT_POOL_SIZE, log = NO_LOG } = options;
  const patience = options.patienceMilliseconds ?? DEFAULT_PATIENCE_MILLISECONDS;
  const settings = toConnectionSettings(url, toSchemaName(schema), patience);
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
