import { escapeIdentifier } from 'pg';
import { StoreError } from '../store-error.ts';

/** PostgreSQL cuts longer names silently, and the name is part of a channel's name too. */
const MAX_BYTES = 48;

/** The schema that holds everything, under a name the operator chose. */
export interface SchemaName {
  readonly name: string;
  /** As SQL takes it. */
  readonly quoted: string;
  /** Where commits are announced. */
  readonly channel: string;
}

export function toSchemaName(name: string): SchemaName {
  const bytes = Buffer.byteLength(name);
  if (bytes === 0 || bytes > MAX_BYTES || name.includes('\0') || name.startsWith('pg_')) {
    throw new StoreError(
      'unavailable',
      `Expected a schema name of 1 to ${MAX_BYTES} bytes that does not begin with pg_, found ${JSON.stringify(name)}; choose another one.`,
    );
  }
  return { name, quoted: escapeIdentifier(name), channel: `${name}.commits` };
}
