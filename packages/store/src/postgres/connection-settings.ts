import { escapeIdentifier, types, type ClientConfig } from 'pg';
import { StoreError } from '../store-error.ts';

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

/** PostgreSQL silently truncates longer names, and the name is also part of the channel's name. */
const MAX_SCHEMA_BYTES = 48;

/** The schema for all tables, with the name that the operator has chosen. */
export interface SchemaName {
  readonly name: string;
  /** Quoted for SQL. */
  readonly quoted: string;
  /** The notification channel for commits. */
  readonly channel: string;
}

export function toSchemaName(name: string): SchemaName {
  const bytes = Buffer.byteLength(name);
  if (bytes === 0 || bytes > MAX_SCHEMA_BYTES || name.includes('\0') || name.startsWith('pg_')) {
    throw new StoreError(
      'unavailable',
      `Invalid schema name ${JSON.stringify(name)}; use 1 to ${MAX_SCHEMA_BYTES} bytes that do not start with pg_.`,
    );
  }
  return { name, quoted: escapeIdentifier(name), channel: `${name}.commits` };
}
