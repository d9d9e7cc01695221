import { readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { usePostgres } from '@holdword/store/testing/postgres';
import { describe, expect, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { send, urlOf } from '../testing/talk.ts';

const postgres = usePostgres();
/** Each command is a process, which takes its time where many of them start. */
const SLOW_MILLISECONDS = 60_000;

const BACKENDS: Record<string, () => Record<string, string>> = {
  sqlite: () => ({}),
  postgres: () => ({ HOLDWORD_STORE: postgres().url, HOLDWORD_STORE_SCHEMA: postgres().newSchema() }),
};

describe.each(Object.entries(BACKENDS))('holdword db on %s', (kind, environment) => {
  test('creates the tables', { timeout: SLOW_MILLISECONDS }, async () => {
    const folder = await makeHoldwordFolder(environment());
    const before = await folder.run('db', 'status');
    expect(before.output).toMatch(/There is no data in .* yet\./);
    expect(before.output).toContain('create the tables with: holdword db migrate');
    expect(before.code).toBe(1);
    expect((await folder.run('db', 'migrate')).output).toMatch(/^Created the tables at version \d+\.$/m);
    expect((await folder.run('db', 'migrate')).output).toMatch(/^The tables are already at version \d+\.$/m);
  });

  test('shows and checks the data while a server is running', { timeout: SLOW_MILLISECONDS }, async () => {
    const folder = await makeHoldwordFolder(environment());
    const url = await urlOf(folder.serve());
    await send(url, 'echo hello');
    await send(url, 'wait 3600', { immediately: true });

    const { code, output } = await folder.run('db', 'status');
    expect(output).toMatch(new RegExp(`^data +.*\\(${kind}\\)$`, 'm'));
    expect(output).toMatch(/^tables +version \d+, up to date$/m);
    expect(output).toMatch(/^tasks +2, 1 working, 1 completed$/m);
    expect(output).toMatch(/^events +[67]$/m);
    expect(output).toMatch(/^size +\d.*: .*\d [KM]iB/m);
    expect(output).toMatch(/^servers +1 running, holding 1 task \(by heartbeats that expire in \d+ s\)$/m);
    expect(output).not.toContain('password');
    expect(code).toBe(0);
    expect(await folder.run('db', 'check')).toMatchObject({ code: 0, output: 'No damage found.\n' });
  });
});

test('the advice names the data that was meant', async () => {
  const folder = await makeHoldwordFolder();
  const { output } = await folder.run('db', 'status', '--data', 'none');
  expect(output).toContain(`holdword db migrate --data ${join(folder.path, 'none')}`);
});

test('damage is reported with exit code 1', async () => {
  const folder = await makeHoldwordFolder();
  const holdword = folder.serve();
  await send(await urlOf(holdword), 'echo hello');
  await holdword.stop();
  const database = new DatabaseSync(join(folder.path, '.holdword', 'holdword.db'));
  database.exec('DELETE FROM journal');
  database.close();
  const { code, output } = await folder.run('db', 'check');
  expect(output).toMatch(/^damage: a task has no events: [\da-f-]{36}$/m);
  expect(output).toContain('restore a backup');
  expect(code).toBe(1);
});

test('files and memory are not databases', async () => {
  const folder = await makeHoldwordFolder();
  const { code, output } = await folder.run('db', 'check', '--store', 'json-file');
  expect(output).toContain(
    'holdword db works with SQLite and PostgreSQL only; the configured store is json-file.',
  );
  expect(code).toBe(2);
});

test.each([
  ['db', 'status'],
  ['db', 'check'],
  ['db', 'migrate'],
  ['keys', 'list'],
  ['keys', 'add', 'laptop'],
  ['push', 'status'],
  ['backup', 'copy.db'],
])('%s %s names a data folder that is none, and creates nothing', async (...words) => {
  const folder = await makeHoldwordFolder();
  await writeFile(join(folder.path, 'file'), '');
  const { code, output } = await folder.run(...words, '--data', 'file');
  expect(output).toContain('the data folder is a file; use a different data folder');
  expect(output).not.toContain('There is no data');
  if (words[0] !== 'backup')
    expect(output).toContain(`Cannot open the data in ${join(folder.path, 'file')}: `);
  expect(code).toBe(1);
  expect(await readdir(folder.path)).toEqual(['file']);
});

test('a data folder that cannot be read is not an empty one', async () => {
  const folder = await makeHoldwordFolder();
  await symlink('loop', join(folder.path, 'loop'));
  const { code, output } = await folder.run('db', 'status', '--data', 'loop');
  expect(output).toContain('the data folder cannot be read; check its permissions');
  expect(code).toBe(1);
});

test('a password on the command line causes one warning in every command', async () => {
  const folder = await makeHoldwordFolder();
  const { output } = await folder.run('db', 'status', '--store', postgres().url, '--store-schema', 'none');
  expect(output.match(/Other users of this machine can see the password on the command line/g)).toHaveLength(
    1,
  );
});
