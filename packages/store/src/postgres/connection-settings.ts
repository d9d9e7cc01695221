import { types, type ClientConfig } from 'pg';
import { StoreError } from '../store-error.ts';
import type { SchemaName } from './schema-name.ts';

const CONNECT_MILLISECONDS = 5000;

/** What every connection of a store has in common. */
export interface ConnectionSettings {
  client: ClientConfig;
  schema: SchemaName;
  /** How long anything may take before it is given up. */
  patienceMilliseconds: number;
}

export function toConnectionSettings(
  url: string,
  schema: SchemaName,
  patienceMilliseconds: number,
): ConnectionSettings {
  checkUrl(url);
  const client: ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: Math.min(CONNECT_MILLISECONDS, patienceMilliseconds),
    query_timeout: patienceMilliseconds,
    keepAlive: true,
    fallback_application_name: 'holdword',
    types: {
      // Times and keys are bigint columns, and all of them fit into a number.
      getTypeParser: (oid, format) =>
        oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format),
    },
  };
  return { client, schema, patienceMilliseconds };
}

function checkUrl(url: string): void {
  if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) return;
  throw new StoreError(
    'unavailable',
    'Expected a database URL such as postgres://user:password@host:5432/database, found something else; correct it.',
  );
}
