import { escapeIdentifier } from 'pg';
import { StoreError } from '../store-error.ts';

/** PostgreSQL silently truncates longer names, and the name is also part of the channel's name. */
const MAX_BYTES = 48;

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
  if (bytes === 0 || bytes > MAX_BYTES || name.includes('\0') || name.startsWith('pg_')) {
    throw new StoreError(
      'unavailable',
      `Invalid schema name ${JSON.stringify(name)}; use 1 to ${MAX_BYTES} bytes that do not start with pg_.`,
    );
  }
  return { name, quoted: escapeIdentifier(name), channel: `${name}.commits` };
}
