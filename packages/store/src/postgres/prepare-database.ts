import { Client } from 'pg';
import { backoff } from './backoff.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { migrate } from './migrations/migrate.ts';
import { failureKind, isMisconfigured, storeErrorFromPostgres } from './postgres-error.ts';

/** Migrates the schema to this version. Waits for a server that is still starting until the timeout. */
export async function prepareDatabase(settings: ConnectionSettings): Promise<void> {
  const deadline = Date.now() + settings.timeoutMilliseconds;
  const pauses = backoff();
  for (;;) {
    try {
      await connectAndMigrate(settings);
      return;
    } catch (error) {
      const isRetryable = failureKind(error) === 'lost' && !isMisconfigured(error);
      if (!isRetryable || Date.now() >= deadline) throw storeErrorFromPostgres(error);
      await pauses.next();
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
