import { usePostgres } from '@holdword/store/testing/postgres';
import { expect, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import type { GivenConfig } from '../config/config-schema.ts';
import { getTask, send, taskOf, urlOf } from '../testing/talk.ts';
import { testConfig } from '../testing/test-config.ts';
import { describeLocation, storeLocation } from './open-store.ts';

const postgres = usePostgres();

const databaseOf = (url: string) => `postgres://${new URL(url).host}/postgres`;

test('a server keeps its tasks in the database that DATABASE_URL names, and shows no password', async () => {
  const { url: store, newSchema } = postgres();
  const schema = newSchema();
  const folder = await makeHoldwordFolder({ DATABASE_URL: store, HOLDWORD_STORE_SCHEMA: schema });
  const first = folder.serve('--log-level', 'info');
  const url = await urlOf(first);
  expect(first.output()).toContain(`${databaseOf(store)}, schema ${schema} (postgres)`);
  const task = await taskOf(await send(url, 'echo hello'));
  expect(await (await fetch(new URL('/readyz', url))).json()).toMatchObject({ status: 'ready' });
  expect(await first.stop()).toBe(0);
  expect(first.output()).not.toContain('password');

  expect(await getTask(await urlOf(folder.serve()), task.id)).toEqual(task);
});

test('keys are created and revoked while two servers run on one database', async () => {
  const { url: store, newSchema } = postgres();
  const folder = await makeHoldwordFolder({ HOLDWORD_STORE: store, HOLDWORD_STORE_SCHEMA: newSchema() });
  const key = /holdword_\S+/.exec((await folder.run('keys', 'add', 'laptop')).output)?.[0] ?? '';
  const urls = await Promise.all([
    urlOf(folder.serve('--data', 'one')),
    urlOf(folder.serve('--data', 'two')),
  ]);
  const answers = async () =>
    Promise.all(urls.map(async (url) => (await send(url, 'echo x', { key })).status));
  expect(await answers()).toEqual([200, 200]);
  expect((await folder.run('push', 'status')).output).toContain('Targets: 0 active');

  expect((await folder.run('keys', 'revoke', 'laptop')).code).toBe(0);
  await expect.poll(answers).toEqual([401, 401]);
});

test('a password on the command line causes a warning, and a backup is left to PostgreSQL', async () => {
  const { url: store, newSchema } = postgres();
  const schema = newSchema();
  const folder = await makeHoldwordFolder();
  const holdword = folder.serve('--store', store, '--store-schema', schema);
  await urlOf(holdword);
  expect(holdword.output()).toContain('Put the URL in HOLDWORD_STORE');

  const backup = await folder.run('backup', 'copy', '--store', store, '--store-schema', schema);
  expect(backup.output).toContain(`pg_dump --format=custom --schema='"${schema}"'`);
  expect(backup.code).toBe(2);
});

test.each([
  [
    'postgres://ada:geheim@127.0.0.1:1/db',
    'PostgreSQL does not respond; check that it is running and reachable',
  ],
  [
    'postgres://ada:geheim@no-such-host.invalid/db',
    'the host name in the database URL cannot be resolved; check its spelling',
  ],
  ['wrong password', 'PostgreSQL rejected the password; check it in the database URL'],
  ['no database', 'the database in the URL does not exist; create it or use a different one'],
])(
  '%s is reported with what to do',
  async (store, advice) => {
    const url = new URL(store.includes('://') ? store : postgres().url);
    if (store === 'wrong password') url.password = 'geheim';
    if (store === 'no database') url.pathname = '/geheim';
    const folder = await makeHoldwordFolder({ HOLDWORD_STORE: url.href });
    const { code, output } = await folder.run('serve', '--port', '0');
    expect(output).toContain(`Cannot open the data in postgres://${url.host}${url.pathname}: `);
    expect(output).toContain(advice);
    expect(output).not.toMatch(/:geheim|:password|    at /);
    expect(code).toBe(1);
  },
  60_000,
);

test.each<[GivenConfig, string]>([
  [{}, '/home/.holdword (sqlite)'],
  [{ store: 'json-file', data: '/there' }, '/there (json-file)'],
  [{ store: 'memory' }, 'in memory, lost when the server stops'],
  [
    { store: 'postgres://ada:secret@host:5433/db?sslmode=require&password=secret', storeSchema: 'mine' },
    'postgres://host:5433/db, schema mine (postgres)',
  ],
])('%j is described without secrets', (given, expected) => {
  expect(describeLocation(storeLocation(testConfig(given)))).toBe(expected);
});
