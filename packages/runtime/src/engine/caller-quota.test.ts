import { openMemoryStore, type Store } from '@holdword/store';
import { expect, test } from 'vitest';
import { type Owner, ownerKey } from '../owner.ts';
import { CallerQuota } from './caller-quota.ts';

const ALICE: Owner = { tenant: '', caller: 'key:alice', authenticated: true };
const BOB: Owner = { tenant: '', caller: 'key:bob', authenticated: true };
const NEW = { isNewTask: true };

let count = 0;
async function addTask(store: Store, owner: Owner, text = ''): Promise<string> {
  const taskId = `task ${(count += 1)}`;
  await store.createTask({
    taskId,
    owner: ownerKey(owner),
    contextId: 'context',
    status: { state: 'TASK_STATE_COMPLETED', time: 1, json: '{}' },
    entries: [{ json: JSON.stringify({ text }), changesStatus: true }],
  });
  return taskId;
}

function refusal(limit: string, text: RegExp): unknown {
  return expect.objectContaining({
    code: 'RESOURCE_EXHAUSTED',
    retryAfterSeconds: undefined,
    metadata: { limit, limitScope: 'caller' },
    message: expect.stringMatching(text),
  });
}

test('rejects a new task of a caller who has enough, and nothing of others', async () => {
  const store = openMemoryStore();
  const quota = () => new CallerQuota(store, { maxTasks: 2, maxBytes: 0 });
  await quota().requireRoom(ALICE, NEW);
  const first = await addTask(store, ALICE);
  await quota().requireRoom(ALICE, NEW);
  await addTask(store, ALICE);
  await expect(quota().requireRoom(ALICE, NEW)).rejects.toEqual(
    refusal('tasksPerCaller', /^You have 2 stored tasks, and your limit is 2\. .*limits\.tasksPerCaller\.$/),
  );
  await quota().requireRoom(ALICE, { isNewTask: false });
  await quota().requireRoom(BOB, NEW);
  await quota().requireRoom({ ...ALICE, authenticated: false }, NEW);
  await store.retention?.deleteTask(first);
  await quota().requireRoom(ALICE, NEW);
});

test('rejects every message of a caller whose tasks are too large', async () => {
  const store = openMemoryStore();
  await addTask(store, ALICE, 'x'.repeat(1_000));
  const quota = new CallerQuota(store, { maxTasks: 0, maxBytes: 1_000 });
  await expect(quota.requireRoom(ALICE, { isNewTask: false })).rejects.toEqual(
    refusal('storedBytesPerCaller', /^Your tasks take up 1011 bytes, and your limit is 1000\./),
  );
  await quota.requireRoom(BOB, NEW);
});

test('naming other tenants does not raise it, and a restart does not either', async () => {
  const store = openMemoryStore();
  const options = { maxTasks: 3, maxBytes: 0 };
  const quota = new CallerQuota(store, options);
  for (const tenant of ['a', 'b', 'c']) {
    await quota.requireRoom({ ...ALICE, tenant }, NEW);
    await addTask(store, { ...ALICE, tenant });
  }
  const fourth = { ...ALICE, tenant: 'd' };
  await expect(quota.requireRoom(fourth, NEW)).rejects.toThrow(/3 stored tasks/);
  await expect(new CallerQuota(store, options).requireRoom(fourth, NEW)).rejects.toThrow(/3 stored tasks/);
  // Of a caller whose credential names the tenant, the same name in another tenant is somebody else.
  const other = { ...ALICE, tenant: 'e', identity: 'e\nkey:alice' };
  await new CallerQuota(store, options).requireRoom(other, NEW);
});

test('between two readings it counts what it has accepted', async () => {
  const quota = new CallerQuota(openMemoryStore(), { maxTasks: 2, maxBytes: 0 });
  await quota.requireRoom(ALICE, NEW);
  await quota.requireRoom(ALICE, NEW);
  await expect(quota.requireRoom(ALICE, NEW)).rejects.toThrow(/2 stored tasks/);
});
