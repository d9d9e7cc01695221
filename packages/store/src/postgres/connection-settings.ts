import { types, type ClientConfig } from 'pg';
import { StoreError } from '../store-error.ts';
import type { SchemaName } from './schema-name.ts';

const CONNECT_MILLISECONDS = 5000;

/** The settings of every connection of a store. */
export interface ConnectionSettings {
  client: ClientConfig;
  schema: SchemaName;
  /** How long a call may take before it is rejected. */
  timeoutMilliseconds: number;
}

export function toConnectionSettings(
  url: string,
  schema: SchemaName,
  timeoutMilliseconds: number,
): ConnectionSettings {
  checkUrl(url);
  const client: ClientConfig = {
    connectionString: url,
    connectionTimeoutMillis: Math.min(CONNECT_MILLISECONDS, timeoutMilliseconds),
    query_timeout: timeoutMilliseconds,
    keepAlive: true,
    fallback_application_name: 'holdword',
    types: {
      // Times and keys are bigint columns whose values all fit into a number.
      getTypeParser: (oid, format) =>
        oid === types.builtins.INT8 ? Number : types.getTypeParser(oid, format),
    },
  };
  return { client, schema, timeoutMilliseconds };
}

function checkUrl(url: string): void {
  if (URL.canParse(url) && /^postgres(ql)?:$/.test(new URL(url).protocol)) return;
  throw new StoreError(
    'unavailable',
    'Invalid database URL; it must look like postgres://user:password@host:5432/database.',
  );
}
