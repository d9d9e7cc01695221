import { openMemoryStore } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { expect, test, vi } from 'vitest';
import { gateCommits } from './testing/gate-commits.ts';
import { beginTask, headerOf, patient, startTestEngine } from './testing/start-test-engine.ts';

test('a task whose process dies is recovered by another process with a heartbeat (J7)', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval', 'Date'] });
  try {
    const store = openMemoryStore();
    const status = { state: 'TASK_STATE_WORKING' as const, time: 0, json: '{"state":"TASK_STATE_WORKING"}' };
    const task = { id: 't', contextId: 'c', status: { state: 'TASK_STATE_WORKING' } };
    const entries = [{ json: JSON.stringify({ task }), changesStatus: true }];
    await store.heartbeat('there', 20_000);
    await store.createTask({ taskId: 't', owner: 'me', contextId: 'c', holder: 'there', status, entries });
    const engine = await startTestEngine(async () => {}, { store });
    await vi.advanceTimersByTimeAsync(15_000);
    expect((await headerOf(store, 't')).state).toBe('TASK_STATE_WORKING');
    await vi.advanceTimersByTimeAsync(15_000);
    await engine.reader.settled('t', patient);
    expect((await headerOf(store, 't')).state).toBe('TASK_STATE_FAILED');
  } finally {
    vi.useRealTimers();
  }
});

test('does not start on a store that cannot be read', async () => {
  const store = overrideStore(openMemoryStore(), {
    listOrphans: async () => {
      throw new Error('broken');
    },
  });
  await expect(startTestEngine(async () => {}, { store })).rejects.toThrow('broken');
});

test('a stop waits for commits in flight', async () => {
  const gate = gateCommits(openMemoryStore());
  gate.open();
  const engine = await startTestEngine((_turn, sink) => sink.complete('done'), { store: gate.store });
  const taskId = await beginTask(engine, 'go');
  await engine.reader.settled(taskId, patient);
  gate.close();
  const beginning = beginTask(engine, 'again');
  await expect.poll(() => gate.held).toBe(1);
  let stopped = false;
  const stopping = engine.stop(60_000).then(() => (stopped = true));
  await new Promise(setImmediate);
  expect(stopped).toBe(false);
  gate.open();
  const second = await beginning;
  await stopping;
  expect((await headerOf(engine.store, second)).state).toBe('TASK_STATE_COMPLETED');
});
