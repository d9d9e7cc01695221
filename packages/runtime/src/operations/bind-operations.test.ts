import { openMemoryStore, StoreError } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { expect, test } from 'vitest';
import type { Sink, Turn } from '../executors/executor.ts';
import { startRuntime } from '../runtime.ts';
import { requestContext, send } from './testing/start-test-operations.ts';

test('writes are rejected at once while the store is down, and reads are not', async () => {
  const memory = openMemoryStore();
  let isDown = false;
  const store = overrideStore(memory, {
    heartbeat: async (holder, ttl) => {
      if (isDown) throw new StoreError('unavailable', 'PostgreSQL does not respond.');
      return memory.heartbeat(holder, ttl);
    },
  });
  const executor = { execute: async (_turn: Turn, sink: Sink) => sink.complete('done') };
  const runtime = await startRuntime({ store, executor, leaseMilliseconds: 30 });
  const sent = await runtime.operations.sendMessage(send('one'), requestContext());
  const id = 'task' in sent ? sent.task.id : '';

  isDown = true;
  await expect
    .poll(() =>
      runtime.operations.sendMessage(send('two'), requestContext()).catch((error: unknown) => error),
    )
    .toMatchObject({ code: 'UNAVAILABLE', retryAfterSeconds: 2 });
  expect(await runtime.operations.getTask({ id }, requestContext())).toMatchObject({ id });
  await expect(runtime.operations.cancelTask({ id }, requestContext())).rejects.toMatchObject({
    code: 'UNAVAILABLE',
  });

  isDown = false;
  await expect
    .poll(() => runtime.operations.sendMessage(send('three'), requestContext()).catch(() => undefined))
    .toHaveProperty('task.id');
  await runtime.stop({ graceMilliseconds: 0 });
});

test('damaged data is reported to the operator once, and is why the server is not ready', async () => {
  const memory = openMemoryStore();
  const store = overrideStore(memory, {
    readTask: async () => {
      throw new StoreError('corrupt', 'Cannot read holdword.db: its pages are damaged.');
    },
  });
  const errors: string[] = [];
  const log = { info: () => {}, warn: () => {}, error: (message: string) => void errors.push(message) };
  const executor = { execute: async (_turn: Turn, sink: Sink) => sink.complete('done') };
  const runtime = await startRuntime({ store, executor, log });
  for (let request = 0; request < 3; request += 1) {
    await expect(runtime.operations.getTask({ id: 't' }, requestContext())).rejects.toMatchObject({
      code: 'INTERNAL',
      message: expect.stringContaining('The data of the server is damaged.'),
    });
  }
  expect(runtime.health.commitFailure).toContain('its pages are damaged');
  expect(errors).toEqual([expect.stringContaining('The store failed.')]);
  await runtime.stop({ graceMilliseconds: 0 });
});

test('on a full disk, messages are refused with the reason, and a task that waits can be answered again', async () => {
  const memory = openMemoryStore();
  let isFull = false;
  const unlessFull = async <T>(write: () => Promise<T>): Promise<T> => {
    if (isFull) throw new StoreError('unavailable', 'The disk is full.', { isDiskFull: true });
    return write();
  };
  const store = overrideStore(memory, {
    createTask: (task) => unlessFull(() => memory.createTask(task)),
    append: (append) => unlessFull(() => memory.append(append)),
  });
  const logged: string[] = [];
  const add = (message: string): void => void logged.push(message);
  const executor = {
    execute: async ({ task }: Turn, sink: Sink) =>
      task.history?.length === 1 ? sink.askInput('more?') : sink.complete('done'),
  };
  const runtime = await startRuntime({ store, executor, log: { info: add, warn: add, error: add } });
  const asked = await runtime.operations.sendMessage(send('one'), requestContext());
  const taskId = 'task' in asked ? asked.task.id : '';
  isFull = true;
  const { message } = send('answer');
  const answer = { message: { ...message, taskId } };
  const startedAt = performance.now();
  for (const request of [send('two'), answer]) {
    await expect(runtime.operations.sendMessage(request, requestContext())).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      message: expect.stringContaining('no disk space left'),
    });
  }
  expect(performance.now() - startedAt).toBeLessThan(10_000);
  expect(await memory.readTask(taskId)).toMatchObject({ state: 'TASK_STATE_INPUT_REQUIRED' });
  expect(logged.filter((line) => line.includes('given up'))).toEqual([]);
  isFull = false;
  expect(await runtime.operations.sendMessage(answer, requestContext())).toMatchObject({
    task: { id: taskId, status: { state: 'TASK_STATE_COMPLETED' } },
  });
  await runtime.stop({ graceMilliseconds: 0 });
}, 30_000);
