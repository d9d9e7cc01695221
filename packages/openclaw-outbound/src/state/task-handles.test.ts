import { describe, expect, onTestFinished, test } from 'vitest';
import { temporaryFolder } from '../testing/temporary-folder.ts';
import { StateStore } from './state-store.ts';
import { TaskHandles, type TaskHandlesOptions } from './task-handles.ts';

const ADDRESS = {
  baseUrl: 'https://a.example/',
  cardPath: '/card.json',
  preferredTransports: ['JSONRPC'],
} as const;

function open(options: Partial<TaskHandlesOptions> = {}, folder?: string) {
  const state = new StateStore({ folder });
  onTestFinished(() => state.close());
  return { state, handles: new TaskHandles({ ttlMs: 1000, maxEntries: 3, state, ...options }) };
}

describe('a handle', () => {
  test('is unique per task and address', async () => {
    const { handles } = open();
    const first = await handles.bind({ address: ADDRESS, taskId: 't-1', contextId: 'c-1' });
    expect(first).toMatch(/^rah_[0-9a-f-]{36}$/);
    expect(await handles.bind({ address: ADDRESS, taskId: 't-1' })).toBe(first);
    expect(await handles.bind({ address: ADDRESS, taskId: 't-2' })).not.toBe(first);
    const elsewhere = { ...ADDRESS, cardPath: '/other.json' };
    expect(await handles.bind({ address: elsewhere, taskId: 't-1' })).not.toBe(first);
    expect(await handles.find(first)).toMatchObject({
      entry: { taskId: 't-1', contextId: 'c-1' },
      isAlive: true,
    });
  });

  test('is extended by every response about its task, not by a lookup', async () => {
    let now = 0;
    const { handles } = open({ now: () => now });
    const handle = await handles.bind({ address: ADDRESS, taskId: 't-1' });
    now = 900;
    await handles.bind({ address: ADDRESS, taskId: 't-1' });
    now = 1800;
    expect(await handles.find(handle)).toMatchObject({ isAlive: true });
    now = 1900;
    expect(await handles.find(handle)).toMatchObject({ isAlive: false });
  });

  test('is evicted when it is the least recently used', async () => {
    const { handles } = open();
    const bind = (taskId: string): Promise<string> => handles.bind({ address: ADDRESS, taskId });
    const [first, second] = [await bind('t-1'), await bind('t-2')];
    await bind('t-3');
    await handles.find(first);
    await bind('t-4');
    expect(await handles.find(second)).toBeUndefined();
    expect(await handles.find(first)).toMatchObject({ entry: { taskId: 't-1' } });
  });

  test('that was never created is unknown', async () => {
    expect(await open().handles.find('rah_1')).toBeUndefined();
  });
});

describe('with a folder', () => {
  test('handles survive a restart with the same expiry', async () => {
    const folder = await temporaryFolder();
    const before = open({ now: () => 0 }, folder);
    const handle = await before.handles.bind({
      address: ADDRESS,
      taskId: 't-1',
      state: 'TASK_STATE_WORKING',
    });
    await before.state.close();
    const after = open({ now: () => 999 }, folder);
    expect(await after.handles.find(handle)).toMatchObject({
      entry: { address: ADDRESS, taskId: 't-1', state: 'TASK_STATE_WORKING', expiresAt: 1000 },
      isAlive: true,
    });
    expect(await after.handles.bind({ address: ADDRESS, taskId: 't-1' })).toBe(handle);
  });

  test('handles of another process are found', async () => {
    const folder = await temporaryFolder();
    const one = open({}, folder);
    const other = open({}, folder);
    expect(await other.handles.find('rah_1')).toBeUndefined();
    const handle = await one.handles.bind({ address: ADDRESS, taskId: 't-1' });
    await one.state.close();
    expect(await other.handles.find(handle)).toMatchObject({ entry: { taskId: 't-1' } });
  });

  test('that is unusable, handles stay in memory and one warning is logged', async () => {
    const warnings: string[] = [];
    const logger = { info: () => {}, warn: (text: string) => void warnings.push(text) };
    const state = new StateStore({ folder: '/dev/null/nowhere', logger });
    const handles = new TaskHandles({ ttlMs: 1000, maxEntries: 3, state });
    const handle = await handles.bind({ address: ADDRESS, taskId: 't-1' });
    expect(await handles.find(handle)).toMatchObject({ isAlive: true });
    await state.close();
    expect(state.isDurable).toBe(false);
    expect(warnings).toEqual([expect.stringContaining('Task handles will be lost when the process exits')]);
  });
});
