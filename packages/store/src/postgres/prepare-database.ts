import { Client } from 'pg';
import { backoff } from './backoff.ts';
import type { ConnectionSettings } from './connection-settings.ts';
import { migrate } from './migrations/migrate.ts';
import { failureKind, isMisconfigured, storeErrorFromPostgres } from './postgres-error.ts';

/** Brings the schema to this version, waiting for a server that is still starting as long as patience lasts. */
export async function prepareDatabase(settings: ConnectionSettings): Promise<void> {
  const deadline = Date.now() + settings.patienceMilliseconds;
  const pauses = backoff();
  for (;;) {
    try {
      await connectAndMigrate(settings);
      return;
    } catch (error) {
      const mayGoWell = failureKind(error) === 'lost' && !isMisconfigured(error);
      if (!mayGoWell || Date.now() >= deadline) throw storeErrorFromPostgres(error);
      await pauses.next();
    }
  }
}

async function connectAndMigrate({ client: config, schema }: ConnectionSettings): Promise<void> {
  const client = new Client(config);
  // What ends the connection also fails the statement under way, and that is what is looked at.
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
