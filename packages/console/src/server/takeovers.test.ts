import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Executor } from '@holdword/runtime';
import { openSqliteStore, type Store } from '@holdword/store';
import { expect, onTestFinished, test } from 'vitest';
import { obedientAgent, startTestConsole } from '../testing/start-test-console.ts';

const OWNER = JSON.stringify(['', 'key:alice']);

/** A task that a process was working on when it died. */
async function leaveBehind(store: Store, taskId: string): Promise<void> {
  const timestamp = '2026-01-01T00:00:00.000Z';
  const message = { messageId: 'm1', role: 'ROLE_USER', parts: [{ text: 'say x' }], taskId, contextId: 'c' };
  const task = {
    id: taskId,
    contextId: 'c',
    status: { state: 'TASK_STATE_SUBMITTED', timestamp },
    history: [message],
  };
  const status = { state: 'TASK_STATE_WORKING' as const, timestamp };
  const update = { statusUpdate: { taskId, contextId: 'c', status } };
  await store.createTask({
    taskId,
    owner: OWNER,
    contextId: 'c',
    status: { state: status.state, time: Date.parse(timestamp), json: JSON.stringify(status) },
    entries: [
      { json: JSON.stringify({ task }), changesStatus: true },
      { json: JSON.stringify(update), changesStatus: true },
    ],
    holder: 'elsewhere/1/gone',
  });
}

test.each([
  ['resumed', { ...obedientAgent, resume: (_, sink) => sink.complete('Resumed.') }, 'TASK_STATE_COMPLETED'],
  ['interrupted', obedientAgent, 'TASK_STATE_FAILED'],
] as const satisfies readonly (readonly [string, Executor, string])[])(
  'the timeline says which process took a task over, and that it was %s',
  async (how, executor, state) => {
    const folder = await mkdtemp(join(tmpdir(), 'holdword-takeover-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const store = await openSqliteStore({ folder });
    await leaveBehind(store, 'left');
    const view = await startTestConsole({ store, executor });
    const as = await view.key('alice');
    const path = { taskId: 'left' };
    await expect.poll(async () => (await view.call('getTask', { as, path })).body.state).toBe(state);
    const { items } = (await view.call('getTimeline', { as, path })).body;
    expect(items.filter(({ kind }) => kind === 'restart')).toMatchObject([
      { how, process: view.runtime.processName },
    ]);
    const { events } = (await view.call('listEvents', { as, path })).body;
    expect(events.flatMap(({ takeover }) => takeover ?? [])).toEqual([
      { how, process: view.runtime.processName },
    ]);
    // Clients of the agent see nothing of it.
    expect(JSON.stringify(events.map(({ event }) => event))).not.toContain(view.runtime.processName);
    expect((await view.call('getTask', { as, path })).body.running).toBeNull();
  },
);
