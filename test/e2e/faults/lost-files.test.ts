import { closeSync, openSync, writeSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { HoldwordProcess } from '@holdword/cli/testing';
import { expect, onTestFinished, test } from 'vitest';
import { makeFolder, startServer } from './served.ts';

const POLL = { timeout: 40_000, interval: 100 };

test('a second server does not start after the lock file of the first was removed', async () => {
  const { cwd, data } = await makeFolder();
  const server = await startServer(['--data', data], { cwd });
  await server.send('echo one');
  await rm(join(data, 'holdword.lock'));
  const second = new HoldwordProcess(['serve', '--port', '0', '--grpc-port', 'off', '--data', data], { cwd });
  expect(await second.ended).toBe(1);
  expect(second.output()).toContain('in use by another Holdword process');
  expect((await server.send('echo two')).status).toBe(200);
});

test.skipIf(process.platform === 'win32')(
  'nothing acknowledged is lost when the log of the database is removed',
  async () => {
    const { cwd, data } = await makeFolder();
    const server = await startServer(['--data', data], { cwd });
    const acknowledged: string[] = [];
    const send = async (): Promise<number> => {
      const { status, task } = await server.send('echo kept');
      if (status === 200) acknowledged.push(task?.id ?? '');
      return status;
    };
    for (let count = 0; count < 5; count += 1) await send();
    await rm(join(data, 'holdword.db-wal'));
    await expect.poll(send, POLL).toBe(503);
    await expect
      .poll(() => server.problems(), POLL)
      .toMatchObject({ store: expect.stringContaining('holdword.db-wal or holdword.db-shm was removed') });
    await server.process.printed(/was removed or replaced while Holdword was running/);
    await server.kill();
    const next = await startServer(['--data', data], { cwd });
    for (const taskId of acknowledged)
      expect(await next.getTask(taskId)).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
  },
);

test('a damaged database is reported once, and by /readyz', async () => {
  const { cwd, data } = await makeFolder();
  const before = await startServer(['--data', data], { cwd });
  for (let count = 0; count < 20; count += 1) await before.send('count to 20');
  expect(await before.process.stop()).toBe(0);
  damage(join(data, 'holdword.db'));
  const server = await startServer(['--data', data], { cwd });
  for (let count = 0; count < 3; count += 1) {
    expect(await server.send('echo lost')).toMatchObject({
      status: 500,
      message: expect.stringContaining('The data of the server is damaged.'),
    });
  }
  expect(await server.problems()).toMatchObject({ store: expect.stringContaining('its pages are damaged') });
  await server.process.printed(/The store failed/);
  expect(server.logged('The store failed')).toBe(1);
  expect(server.logged('Internal error')).toBe(0);
});

/** Overwrites the pages of the journals. */
function damage(file: string): void {
  const database = new DatabaseSync(file);
  const [page] = database.prepare('PRAGMA page_size').all() as { page_size: number }[];
  const roots = database
    .prepare("SELECT rootpage FROM sqlite_schema WHERE tbl_name = 'events' OR tbl_name = 'journal'")
    .all() as { rootpage: number }[];
  database.close();
  expect(roots.length).toBeGreaterThan(0);
  const descriptor = openSync(file, 'r+');
  for (const { rootpage } of roots)
    writeSync(descriptor, Buffer.alloc(200, 0x5a), 0, 200, (rootpage - 1) * (page?.page_size ?? 0));
  closeSync(descriptor);
}

test.runIf(process.platform === 'linux')(
  'too many open files are reported once, and when it is over',
  async () => {
    const { cwd, data } = await makeFolder();
    const server = await startServer(['--data', data], {
      cwd,
      node: 'sh',
      nodeArguments: ['-c', 'ulimit -n 64 && exec "$@"', 'sh', process.execPath],
    });
    const [, port = ''] = /JSON-RPC\s+http:\/\/[^:]+:(\d+)/.exec(server.process.output()) ?? [];
    const sockets: Socket[] = Array.from({ length: 100 }, () =>
      connect(Number(port), '127.0.0.1').on('error', () => {}),
    );
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    await server.process.printed(/too many files are open/);
    for (const socket of sockets) socket.destroy();
    await server.process.printed(/New connections are accepted again/);
    expect(server.logged('New connections are refused')).toBe(1);
    expect((await server.send('echo well')).status).toBe(200);
  },
);
