import { chmod, mkdir, readdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Store } from '../port.ts';
import { startCrashChild } from './crash-child-process.ts';
import { expectAcknowledged } from './expect-acknowledged.ts';
import { createSampleTask } from './sample-task.ts';
import { makeTemporaryFolder, type TemporaryFolder } from './temporary-folder.ts';

export interface FolderStoreBackend {
  name: 'sqlite' | 'json-file';
  open(folder: string): Promise<Store>;
  /** Changes a file as if a newer version had written it; returns its path. */
  makeNewer(folder: string): Promise<string>;
}

const CRASHES = 4;

/** The tests for backends that store their data in a folder, which one process serves at a time. */
export function describeFolderStore(backend: FolderStoreBackend): void {
  describe(`${backend.name} store in a folder`, () => {
    let temporary: TemporaryFolder;
    let folder: string;
    beforeEach(async () => {
      temporary = await makeTemporaryFolder();
      folder = join(temporary.folder, 'deep', 'data');
    });
    afterEach(() => temporary.remove());

    it('creates a folder that only its user can access', async () => {
      const store = await backend.open(folder);
      await store.close();
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
    });

    it('makes every file accessible to its user only, even in a folder that others can read', async () => {
      await mkdir(folder, { recursive: true, mode: 0o755 });
      const store = await backend.open(folder);
      await createSampleTask(store);
      await store.putRecord('keys', 'laptop', 'hash');
      expect(await modesIn(folder)).toEqual(new Set([0o600]));
      await store.close();

      for (const { path } of await filesIn(folder)) await chmod(path, 0o644);
      const again = await backend.open(folder);
      expect((await stat(join(folder, 'holdword.lock'))).mode & 0o777).toBe(0o600);
      if (backend.name === 'sqlite') expect(await modesIn(folder)).toEqual(new Set([0o600]));
      await again.close();
    });

    it('allows one store per folder at a time', async () => {
      const store = await backend.open(folder);
      await expect(backend.open(folder)).rejects.toMatchObject({ name: 'StoreError', code: 'in-use' });
      await createSampleTask(store);
      await store.close();
      const next = await backend.open(folder);
      expect((await next.listTasks({ owner: 'tenant/alice', limit: 1 })).totalSize).toBe(1);
      await next.close();
    });

    it('keeps a second store out after its lock file was removed', async () => {
      const store = await backend.open(folder);
      await createSampleTask(store);
      await rm(join(folder, 'holdword.lock'));
      await expect(backend.open(folder)).rejects.toMatchObject({ code: 'in-use' });
      await createSampleTask(store);
      await store.close();
    });

    it('writes nothing while another process has locked the folder', async () => {
      const store = await backend.open(folder);
      const lock = join(folder, 'holdword.lock');
      await rm(lock);
      const other = new DatabaseSync(lock);
      other.exec('BEGIN EXCLUSIVE');
      const record = () => store.putRecord('space', 'key', 'value');
      await expect
        .poll(() => record().catch(messageOf), { timeout: 10_000 })
        .toMatch(/another Holdword process/);
      await expect(createSampleTask(store)).rejects.toMatchObject({ code: 'unavailable' });
      other.close();
      await expect.poll(() => record().catch(messageOf), { timeout: 10_000 }).toBeUndefined();
      await store.close();
    });

    it('writes nothing while its folder is away', async () => {
      const store = await backend.open(folder);
      await createSampleTask(store);
      await rename(folder, `${folder}.away`);
      const record = () => store.putRecord('space', 'key', 'value');
      await expect.poll(() => record().catch(messageOf), { timeout: 10_000 }).toMatch(/unavailable/);
      await rename(`${folder}.away`, folder);
      await expect.poll(() => record().catch(messageOf), { timeout: 10_000 }).toBeUndefined();
      await store.close();
    });

    it('treats the holders of earlier processes as gone (J7)', async () => {
      const before = await backend.open(folder);
      await before.heartbeat('process-1', 3_600_000);
      const { taskId } = await createSampleTask(before);
      expect(await before.listOrphans(5)).toEqual([]);
      await before.close();

      const after = await backend.open(folder);
      expect(await after.listOrphans(5)).toMatchObject([{ taskId }]);
      expect(await after.acquireLease(taskId, 'process-2')).toBe(2);
      await after.close();
    });

    it('rejects data of a newer version and leaves it unchanged', async () => {
      const store = await backend.open(folder);
      await createSampleTask(store);
      await store.close();
      const file = await backend.makeNewer(folder);
      const bytes = await readFile(file);

      await expect(backend.open(folder)).rejects.toMatchObject({
        name: 'StoreError',
        code: 'newer-version',
        message: expect.stringMatching(/version 999,.* version \d /),
      });
      expect((await readFile(file)).equals(bytes)).toBe(true);
    });

    it(`loses nothing that was acknowledged when its process is killed, ${CRASHES} times (J1, J2)`, async () => {
      const acknowledged = new Map<string, number>();
      for (let crash = 1; crash <= CRASHES; crash += 1) {
        const child = await startCrashChild([backend.name, folder]);
        await expect(backend.open(folder)).rejects.toMatchObject({ code: 'in-use' });
        for (const [taskId, sequence] of await child.killAfter(crash * 40))
          acknowledged.set(taskId, sequence);

        const store = await backend.open(folder);
        await expectAcknowledged(store, acknowledged);
        await store.close();
      }
    }, 60_000);
  });
}

function messageOf(error: unknown): string {
  return String(error);
}

async function filesIn(folder: string): Promise<{ path: string; mode: number }[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  const paths = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  return Promise.all(paths.map(async (path) => ({ path, mode: (await stat(path)).mode & 0o777 })));
}

async function modesIn(folder: string): Promise<Set<number>> {
  return new Set((await filesIn(folder)).map(({ mode }) => mode));
}
