import { z } from 'zod';
import { readText } from './read-text.ts';

export const STORE_KINDS = ['sqlite', 'json-file', 'memory'] as const;

const DATABASE_URL = /^postgres(ql)?:\/\//;
const error = `expected ${STORE_KINDS.join(', ')} or a URL such as postgres://user@host:5432/database`;

/** The `store` setting: the name of an embedded store, or the URL of a PostgreSQL database. */
export const storeSetting = z
  .union([z.enum(STORE_KINDS), z.string().regex(DATABASE_URL, { error })], { error })
  .refine((store) => !isDatabaseUrl(store) || URL.canParse(store), { error })
  .refine((store) => !/[?&]schema=/.test(store), {
    error: 'expected a URL without a schema; set it with --store-schema or storeSchema',
  });

export function isDatabaseUrl(store: string): boolean {
  return DATABASE_URL.test(store);
}

/** Many hosting platforms set DATABASE_URL, some of them for databases that Holdword does not support. */
export function databaseUrlIn(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  const url = environment['DATABASE_URL'] ?? '';
  return isDatabaseUrl(url) ? readText(storeSetting, url, 'DATABASE_URL') : undefined;
}
