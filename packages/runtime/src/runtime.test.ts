import { openMemoryStore } from '@holdword/store';
import { expect, test } from 'vitest';
import { requestContext, send } from './operations/testing/start-test-operations.ts';
import { startRuntime } from './runtime.ts';

test('an executor is closed when its runtime has stopped and its turns have ended', async () => {
  const happened: string[] = [];
  const runtime = await startRuntime({
    store: openMemoryStore(),
    executor: {
      execute: async ({ signal }) => {
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
        happened.push('turn ended');
      },
      close: async () => void happened.push('closed'),
    },
  });
  const configuration = { returnImmediately: true };
  await runtime.operations.sendMessage(send('go', {}, { configuration }), requestContext());
  await runtime.stop({ graceMilliseconds: 0 });
  expect(happened).toEqual(['turn ended', 'closed']);
});
