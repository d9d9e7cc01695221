import { spawnSync } from 'node:child_process';
import { closeSync, openSync, rmSync, writeSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { makeFolder, startServer } from './served.ts';

/** A disk of its own for one process and its children, which ends with them. Needs no privileges where users may have namespaces. */
const NAMESPACE = process.geteuid?.() === 0 ? ['--mount'] : ['--user', '--map-root-user', '--mount'];
const MOUNT = 'mount -t tmpfs -o size=16m tmpfs "$0" && exec "$@"';
const canMount =
  spawnSync('unshare', [...NAMESPACE, 'sh', '-c', MOUNT, '/mnt', 'true'], { stdio: 'ignore' }).status === 0;
if (!canMount)
  process.stdout.write('Full disks are not tested: this user may not mount a small disk here.\n');

const POLL = { timeout: 40_000, interval: 100 };

function fill(file: string): void {
  const descriptor = openSync(file, 'w');
  try {
    for (let size = 1024 * 1024; size >= 1;) {
      try {
        writeSync(descriptor, Buffer.alloc(size));
      } catch {
        size = Math.floor(size / 2);
      }
    }
  } finally {
    closeSync(descriptor);
  }
}

test.skipIf(!canMount).each(['sqlite', 'json-file'])(
  'on a full disk, %s refuses messages soon and says why, keeps waiting tasks, and recovers by itself',
  { timeout: 180_000 },
  async (store) => {
    const { cwd, data } = await makeFolder();
    await mkdir(data);
    const server = await startServer(['--store', store, '--data', data], {
      cwd,
      node: 'unshare',
      nodeArguments: [...NAMESPACE, 'sh', '-c', MOUNT, data, process.execPath],
    });
    const { task } = await server.send('ask me');
    const taskId = task?.id ?? '';
    const done = await server.send('echo before');
    const filler = join(`/proc/${server.process.pid}/root`, data, 'filler');
    fill(filler);
    await expect.poll(() => server.problems(), POLL).toHaveProperty('disk');
    await server.process.printed(/Could not write the heartbeat/);

    for (const refused of [await server.send('echo new'), await server.send('Ada', taskId)]) {
      expect(refused).toMatchObject({ status: 503, message: expect.stringContaining('no disk space left') });
      expect(refused.milliseconds).toBeLessThan(5_000);
    }
    expect(await server.getTask(taskId)).toMatchObject({ status: { state: 'TASK_STATE_INPUT_REQUIRED' } });
    expect(await server.getTask(done.task?.id ?? '')).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
    });
    expect(server.logged('Could not write the heartbeat')).toBe(1);
    expect(server.logged('the disk is full')).toBeLessThanOrEqual(3);

    rmSync(filler);
    await expect.poll(async () => (await server.send('echo after')).status, POLL).toBe(200);
    expect((await server.send('Ada', taskId)).task?.status.state).toBe('TASK_STATE_COMPLETED');
    await expect.poll(() => server.problems(), POLL).toEqual({});
    expect(server.logged('given up')).toBe(0);
  },
);
