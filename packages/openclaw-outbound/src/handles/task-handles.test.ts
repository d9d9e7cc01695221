import { describe, expect, onTestFinished, test } from 'vitest';
import { StateStore } from '../state/state-store.ts';
import { temporaryFolder } from '../testing/temporary-folder.ts';
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
  test('is one for each task at each address', async () => {
    const { handles } = open();
    const first = await handles.bind({ address: ADDRESS, taskId: 't-1', contextId: 'c-1' });
    expect(first).toMatch(/^rah_[0-9a-f-]{36}$/);
    expect(await handles.bind({ address: ADDRESS, taskId: 't-1' })).toBe(first);
    expect(await handles.bind({ address: ADDRESS, taskId: 't-2' })).not.toBe(first);
    const elsewhere = { ...ADDRESS, cardPath: '/other.json' };
    expect(await handles.bind({ address: elsewhere, taskId: 't-1' })).not.toBe(first);
    expect(await handles.look(first)).toMatchObject({
      entry: { taskId: 't-1', contextId: 'c-1' },
      isAlive: true,
    });
  });

  test('lives on with every answer about its task, not by being looked at', async () => {
    let now = 0;
    const { handles } = open({ now: () => now });
    const handle = await handles.bind({ address: ADDRESS, taskId: 't-1' });
    now = 900;
    await handles.bind({ address: ADDRESS, taskId: 't-1' });
    now = 1800;
    expect(await handles.look(handle)).toMatchObject({ isAlive: true });
    now = 1900;
    expect(await handles.look(handle)).toMatchObject({ isAlive: false });
  });

  test('that was not used for the longest time is forgotten', async () => {
    const { handles } = open();
    const bind = (taskId: string): Promise<string> => handles.bind({ address: ADDRESS, taskId });
    const [first, second] = [await bind('t-1'), await bind('t-2')];
    await bind('t-3');
    await handles.look(first);
    await bind('t-4');
    expect(await handles.look(second)).toBeUndefined();
    expect(await handles.look(first)).toMatchObject({ entry: { taskId: 't-1' } });
  });

  test('that nobody made is not known', async () => {
    expect(await open().handles.look('rah_1')).toBeUndefined();
  });
});

describe('with a folder', () => {
  test('handles are there after a restart, with the same life', async () => {
    const folder = await temporaryFolder();
    const before = open({ now: () => 0 }, folder);
    const handle = await before.handles.bind({
      address: ADDRESS,
      taskId: 't-1',
      state: 'TASK_STATE_WORKING',
    });
    await before.state.close();
    const after = open({ now: () => 999 }, folder);
    expect(await after.handles.look(handle)).toMatchObject({
      entry: { address: ADDRESS, taskId: 't-1', state: 'TASK_STATE_WORKING', expiresAt: 1000 },
      isAlive: true,
    });
    expect(await after.handles.bind({ address: ADDRESS, taskId: 't-1' })).toBe(handle);
  });

  test('handles of another process are found', async () => {
    const folder = await temporaryFolder();
    const one = open({}, folder);
    const other = open({}, folder);
    expect(await other.handles.look('rah_1')).toBeUndefined();
    const handle = await one.handles.bind({ address: ADDRESS, taskId: 't-1' });
    await one.state.close();
    expect(await other.handles.look(handle)).toMatchObject({ entry: { taskId: 't-1' } });
  });

  test('that cannot be used, everything goes on in memory, and that is said once', async () => {
    const warnings: string[] = [];
    const logger = { info: () => {}, warn: (text: string) => void warnings.push(text) };
    const state = new StateStore({ folder: '/dev/null/nowhere', logger });
    const handles = new TaskHandles({ ttlMs: 1000, maxEntries: 3, state });
    const handle = await handles.bind({ address: ADDRESS, taskId: 't-1' });
    expect(await handles.look(handle)).toMatchObject({ isAlive: true });
    await state.close();
    expect(state.isDurable).toBe(false);
    expect(warnings).toEqual([expect.stringContaining('Task handles are lost when the process ends')]);
  });
});
