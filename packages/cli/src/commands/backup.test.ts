import { cp, mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeHoldwordFolder } from '../testing/holdword-folder.ts';
import { getTask, send, taskOf, urlOf } from '../testing/talk.ts';

test('a backup made under load contains everything acknowledged before it, and can be served', async () => {
  const folder = await makeHoldwordFolder();
  const url = await urlOf(folder.serve());
  const before: string[] = [];
  for (let count = 0; count < 20; count += 1) before.push((await taskOf(await send(url, 'echo hello'))).id);

  const over = new AbortController();
  const load = Array.from({ length: 4 }, async () => {
    while (!over.signal.aborted) await send(url, 'echo load');
  });
  const { code, output } = await folder.run('backup', 'backup.db');
  over.abort();
  await Promise.all(load);
  expect(output).toContain('backup.db');
  expect(code).toBe(0);

  await mkdir(join(folder.path, 'restored'));
  await cp(join(folder.path, 'backup.db'), join(folder.path, 'restored', 'holdword.db'));
  const restored = await urlOf(folder.serve('--data', 'restored'));
  for (const id of before) expect((await getTask(restored, id)).status.state).toBe('TASK_STATE_COMPLETED');
  expect((await send(restored, 'echo again')).status).toBe(200);
});

test('does not overwrite a file, and fails without data', { timeout: 60_000 }, async () => {
  const folder = await makeHoldwordFolder();
  expect((await folder.run('backup', 'backup.db')).output).toContain('no holdword.db in the data folder');
  const server = folder.serve();
  await urlOf(server);
  expect((await folder.run('backup', 'backup.db')).code).toBe(0);
  expect((await stat(join(folder.path, 'backup.db'))).mode & 0o777).toBe(0o600);
  await rename(join(folder.path, 'backup.db'), join(folder.path, 'taken.db'));
  const again = await folder.run('backup', 'taken.db');
  expect(again.code).not.toBe(0);
  expect(again.output).toContain('choose a different name');
  expect((await folder.run('backup', 'other.db', '--store', 'json-file')).output).toContain(
    'works with SQLite only',
  );
  expect((await folder.run('backup', 'nowhere/copy.db')).output).toBe(
    `holdword: Cannot back up ${join(folder.path, '.holdword')} to ${join(folder.path, 'nowhere/copy.db')}: ` +
      'The backup file cannot be created; check its folder and the permissions.\n',
  );
});
