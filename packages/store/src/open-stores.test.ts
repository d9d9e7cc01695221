import { expect, test } from 'vitest';
import { openJsonFileStore, openPostgresStore, openSqliteStore } from './open-stores.ts';

/** Opens with what a program in JavaScript may pass. */
function openWith(open: unknown, options: unknown): Promise<unknown> {
  return (open as (options: unknown) => Promise<unknown>)(options);
}

test.each([
  [openSqliteStore, 'data', 'openSqliteStore({ folder }): expected an object, found "data".'],
  [openSqliteStore, { folder: 7 }, 'openSqliteStore({ folder }): folder: expected a string, found 7.'],
  [openJsonFileStore, {}, 'openJsonFileStore({ folder }): folder: expected a string, found nothing.'],
  [
    openPostgresStore,
    'postgres://me:secret@host/x',
    'openPostgresStore({ url }): expected an object, found "postgres://…@host/x".',
  ],
])('%o with %j says what is expected', async (open, options, message) => {
  await expect(openWith(open, options)).rejects.toThrow(new TypeError(message));
});
