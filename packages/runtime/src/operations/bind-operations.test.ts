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
