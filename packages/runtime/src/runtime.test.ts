import { openMemoryStore } from '@holdword/store';
import { expect, test } from 'vitest';
import { requestContext, send } from './operations/testing/start-test-operations.ts';
import { startRuntime, type RuntimeOptions } from './runtime.ts';

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

test.each([
  [
    { store: Promise.resolve(openMemoryStore()), executor: { execute: async () => {} } },
    'store: expected a store, such as await openSqliteStore({ folder }), found a promise.',
  ],
  [
    { store: openMemoryStore(), executor: {} },
    'executor: expected an object with a method execute(turn, sink), found an empty object.',
  ],
  [
    {
      store: openMemoryStore(),
      executor: { card: { name: 'A', description: 'a', skils: [] }, execute: () => {} },
    },
    'executor.card.skils: unknown field (did you mean "skills"?), found an empty array.',
  ],
  [
    { store: openMemoryStore(), executor: { card: { name: 'A' }, execute: () => {} } },
    'executor.card.description: expected a string, found nothing.',
  ],
  [
    { store: openMemoryStore(), executor: { execute: async () => {} }, push: { timeoutMilliseconds: NaN } },
    'push.timeoutMilliseconds: expected a number above 0, or Infinity, found NaN.',
  ],
  [
    { store: openMemoryStore(), executor: { execute: async () => {} }, push: { allowPrivate: 'localhost' } },
    'push.allowPrivate: expected an array, found "localhost".',
  ],
  [
    { store: openMemoryStore(), executor: { execute: async () => {} }, push: true },
    'push: expected an object of options, or false, found true.',
  ],
  [
    { store: openMemoryStore(), executor: { execute: async () => {} }, maxAttempts: '3' },
    'maxAttempts: expected a number, found "3".',
  ],
])('what cannot run is rejected: %#', async (options, problem) => {
  await expect(startRuntime(options as unknown as RuntimeOptions)).rejects.toThrow(
    new TypeError(`startRuntime({ store, executor }): ${problem}`),
  );
});
