import { mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { TaskState as SdkTaskState } from '@a2a-js/sdk';
import { InMemoryTaskStore as SdkInMemoryTaskStore } from '@a2a-js/sdk/server';
import type { Task, V03Task } from '@holdword/protocol';
import { coreTaskToV03 } from '@holdword/protocol/internal';
import { type SdkTaskStore, ServerCallContext, toSdkTask, type User } from '@holdword/protocol/internal/sdk';
import {
  openJsonFileStore,
  openMemoryStore,
  openPostgresStore,
  openSqliteStore,
  type Store,
} from '@holdword/store';
import { usePostgres } from '@holdword/store/testing/postgres';
import * as fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { InMemoryTaskStore } from './in-memory-task-store.ts';
import { JSONTaskStore } from './json-task-store.ts';
import { RecordTaskStore } from './record-task-store.ts';
import { fromSdkTaskStore, type TaskTableStore } from './task-table-store.ts';

const postgres = usePostgres();

const CORE_TASK: Task = {
  id: 'task-123',
  contextId: 'ctx-456',
  status: {
    state: 'TASK_STATE_COMPLETED',
    timestamp: '2026-01-02T03:04:05.000Z',
    message: { messageId: 'm', role: 'ROLE_AGENT', parts: [{ text: 'Done.' }] },
  },
  artifacts: [
    {
      artifactId: 'a',
      name: 'All',
      parts: [{ data: { list: [1, null, 'x\u0000\ud800'] } }, { raw: 'AAAA', filename: 'f' }],
    },
  ],
  history: [{ messageId: 'u', role: 'ROLE_USER', parts: [{ text: 'Do it.' }] }],
};

const TASK = coreTaskToV03(CORE_TASK, 'plain');

let folder: string;
let opened: Store | undefined;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'holdword-tasks-'));
});
afterEach(async () => {
  await opened?.close();
  opened = undefined;
  await rm(folder, { recursive: true });
});

async function onRecords(open: () => Store | Promise<Store>): Promise<RecordTaskStore> {
  opened = await open();
  return new RecordTaskStore(opened);
}

const BACKENDS: [string, () => Promise<TaskTableStore>][] = [
  ['memory', async () => new InMemoryTaskStore()],
  ['JSON files', async () => new JSONTaskStore(folder)],
  ['records in memory', () => onRecords(openMemoryStore)],
  ['records in a file', () => onRecords(() => openJsonFileStore({ folder }))],
  ['SQLite', () => onRecords(() => openSqliteStore({ folder }))],
  [
    'PostgreSQL',
    () => onRecords(() => openPostgresStore({ url: postgres().url, schema: postgres().newSchema() })),
  ],
];

describe.each(BACKENDS)('tasks in %s', (_, open) => {
  it('are saved, replaced, loaded and deleted', async () => {
    const store = await open();
    expect(await store.load('task-123')).toBeUndefined();
    await store.save(TASK);
    expect(await store.load('task-123')).toEqual(TASK);
    const failed: V03Task = { ...TASK, status: { state: 'failed' } };
    await store.save(failed);
    expect(await store.load('task-123')).toEqual(failed);
    await store.delete('task-123');
    await store.delete('task-123');
    expect(await store.load('task-123')).toBeUndefined();
  });

  it('can be saved as A2A 1.0', async () => {
    const store = await open();
    await store.save(CORE_TASK);
    expect(await store.load('task-123')).toEqual(TASK);
  });

  it('do not include notes, which are kept apart', async () => {
    const store = await open();
    await store.notes.write('task-123', 'a note');
    await store.save(TASK);
    expect(await store.notes.read('task-123')).toBe('a note');
    expect(await store.notes.list?.()).toEqual(['a note']);
    expect((await (store as SdkTaskStore).list(listRequest(), contextOf(''))).totalSize).toBe(1);
    await store.notes.remove('task-123');
    expect(await store.notes.read('task-123')).toBeUndefined();
    expect(await store.load('task-123')).toEqual(TASK);
  });

  it('can have any id', async () => {
    const store = await open();
    const ids = [
      '../escape',
      '..',
      '.',
      'a/b',
      'a\\b',
      'con',
      'nul.txt',
      '~',
      ' ',
      'a:b',
      'ends.',
      'x'.repeat(5_000),
      '\u00e9',
      'e\u0301',
      '\u0000',
      '\ud800',
      '\ud801',
      '%2e%2e',
      '.hidden',
      'scopes',
      'id/1',
      'sha',
    ];
    for (const id of ids) await store.save({ ...TASK, id });
    for (const id of ids) expect((await store.load(id))?.id).toBe(id);
  });

  it('are loaded unchanged', async () => {
    const store = await open();
    const anyTask = fc.record({
      kind: fc.constant('task' as const),
      id: fc.string({ minLength: 1 }),
      contextId: fc.string({ minLength: 1 }),
      status: fc.record({
        state: fc.constantFrom('working' as const, 'failed' as const),
      }),
      artifacts: fc.array(
        fc.record({
          artifactId: fc.string({ minLength: 1 }),
          parts: fc.array(
            fc.jsonValue().map((data) => ({ kind: 'data' as const, data })),
            { minLength: 1, maxLength: 3 },
          ),
        }),
        { maxLength: 3 },
      ),
    });
    await fc.assert(
      fc.asyncProperty(anyTask, async (task) => {
        await store.save(task);
        expect(JSON.stringify(await store.load(task.id))).toBe(JSON.stringify(task));
      }),
      { numRuns: 25 },
    );
  });

  describe('for a server of the official SDK', () => {
    it('are SDK objects, separate for each tenant and user', async () => {
      const store: SdkTaskStore = await open();
      const alice = contextOf('alice');
      await store.save(toSdkTask(CORE_TASK), alice);
      expect(await store.load('task-123', alice)).toEqual(toSdkTask(CORE_TASK));
      for (const other of [contextOf('bob'), contextOf(''), contextOf('alice', 'tenant')]) {
        expect(await store.load('task-123', other)).toBeUndefined();
        expect((await store.list(listRequest(), other)).tasks).toEqual([]);
      }
    });

    it('are listed in pages, newest first', async () => {
      const store: SdkTaskStore = await open();
      const alice = contextOf('alice');
      for (let minute = 0; minute < 5; minute += 1) {
        const timestamp = `2026-01-01T00:0${minute}:00.000Z`;
        const state = minute % 2 === 0 ? 'TASK_STATE_COMPLETED' : 'TASK_STATE_WORKING';
        await store.save(
          toSdkTask({ ...CORE_TASK, id: `task-${minute}`, status: { state, timestamp } }),
          alice,
        );
      }
      const first = await store.list(listRequest({ pageSize: 2 }), alice);
      expect(first).toMatchObject({
        tasks: [{ id: 'task-4', artifacts: [] }, { id: 'task-3' }],
        totalSize: 5,
      });
      const second = await store.list(listRequest({ pageSize: 2, pageToken: first.nextPageToken }), alice);
      expect(second.tasks.map(({ id }) => id)).toEqual(['task-2', 'task-1']);
      const last = await store.list(listRequest({ pageSize: 2, pageToken: second.nextPageToken }), alice);
      expect(last).toMatchObject({ tasks: [{ id: 'task-0' }], nextPageToken: '' });

      const completed = await store.list(
        listRequest({ status: SdkTaskState.TASK_STATE_COMPLETED, includeArtifacts: true, historyLength: 0 }),
        alice,
      );
      expect(completed.tasks.map(({ id }) => id)).toEqual(['task-4', 'task-2', 'task-0']);
      expect(completed.tasks[0]).toMatchObject({ artifacts: [{ artifactId: 'a' }], history: [] });
      const late = await store.list(listRequest({ statusTimestampAfter: '2026-01-01T00:03:00.000Z' }), alice);
      expect(late.totalSize).toBe(2);
      await expect(store.list(listRequest({ pageToken: 'nonsense' }), alice)).rejects.toThrow(
        'nextPageToken',
      );
    });
  });
});

describe('JSONTaskStore', () => {
  it('writes one readable file per task and nothing else', async () => {
    const store = new JSONTaskStore(join(folder, 'storage', 'tasks'));
    await Promise.all(Array.from({ length: 10 }, () => store.save(TASK)));
    expect(await readdir(join(folder, 'storage', 'tasks'))).toEqual(['task-123.json']);
    expect(JSON.parse(await readFile(join(folder, 'storage', 'tasks', 'task-123.json'), 'utf8'))).toEqual(
      TASK,
    );
  });

  it('reads files of A2A 1.0', async () => {
    await writeFile(join(folder, 'task-123.json'), JSON.stringify(CORE_TASK));
    expect(await new JSONTaskStore(folder).load('task-123')).toEqual(TASK);
  });

  it('never returns the task of another id', async () => {
    await writeFile(join(folder, 'task-1.json'), JSON.stringify(TASK));
    expect(await new JSONTaskStore(folder).load('task-1')).toBeUndefined();
  });

  it('reports an invalid file without its path', async () => {
    for (const content of ['{"id": "task-1"', '{}', '[]']) {
      await writeFile(join(folder, 'task-1.json'), content);
      const loading = new JSONTaskStore(folder).load('task-1');
      await expect(loading).rejects.toThrow('The saved task "task-1" is not a valid task.');
      await expect(loading).rejects.not.toThrow(folder);
    }
  });

  it('replaces a symbolic link instead of writing through it', async () => {
    const outside = join(folder, 'outside');
    await writeFile(outside, 'untouched');
    await symlink(outside, join(folder, 'task-123.json'));
    await new JSONTaskStore(folder).save(TASK);
    expect(await readFile(outside, 'utf8')).toBe('untouched');
  });
});

describe('InMemoryTaskStore', () => {
  it('forgets the least recently used tasks', async () => {
    const store = new InMemoryTaskStore({ maxTasks: 2 });
    await store.save({ ...TASK, id: 'one' });
    await store.save({ ...TASK, id: 'two' });
    await store.load('one');
    await store.save({ ...TASK, id: 'three' });
    const loaded = await Promise.all(['one', 'two', 'three'].map((id) => store.load(id)));
    expect(loaded.map((task) => task?.id)).toEqual(['one', undefined, 'three']);
  });

  it('is limited by the size of its tasks', async () => {
    const store = new InMemoryTaskStore({ maxCharacters: 2_000 });
    for (let task = 0; task < 20; task += 1) await store.save({ ...TASK, id: `task-${task}` });
    expect(await store.load('task-0')).toBeUndefined();
    expect(await store.load('task-19')).toBeDefined();
  });
});

it('adapts a task store of the official SDK', async () => {
  const store = fromSdkTaskStore(new SdkInMemoryTaskStore());
  await store.save(TASK);
  expect(await store.load('task-123')).toEqual(TASK);
  expect(await store.load('task-124')).toBeUndefined();
});

function contextOf(userName: string, tenant?: string): ServerCallContext {
  const user: User = { userName, isAuthenticated: userName !== '' };
  return new ServerCallContext({ user, ...(tenant !== undefined && { tenant }) });
}

function listRequest(
  fields: Partial<Parameters<SdkTaskStore['list']>[0]> = {},
): Parameters<SdkTaskStore['list']>[0] {
  return {
    tenant: '',
    contextId: '',
    status: SdkTaskState.TASK_STATE_UNSPECIFIED,
    pageToken: '',
    statusTimestampAfter: undefined,
    ...fields,
  };
}
