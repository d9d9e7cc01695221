import { openMemoryStore, type Store } from '@holdword/store';
import { expect, test } from 'vitest';
import type { Executor, Turn } from '../executors/executor.ts';
import { listPushTargets } from '../push/push-targets.ts';
import { requestContext, send, startTestOperations, taskIn } from './testing/start-test-operations.ts';

const PUBLIC = 'https://receiver.example/hook';
/** Nothing is called: host names do not resolve here. */
const push = { resolve: () => Promise.reject(new Error('no such name')) };

const completing: Executor = {
  answersDirectly: ({ message }) => message.messageId.endsWith('direct'),
  execute: async (turn, sink) => {
    if (turn.mayAnswerDirectly) await sink.message('hello');
    else await sink.complete();
  },
};

function withConfig(text: string, config: object = {}) {
  return send(text, {}, { configuration: { taskPushNotificationConfig: { url: PUBLIC, ...config } } });
}

async function targets(store: Store): Promise<string[]> {
  return (await listPushTargets(store)).map(({ configId }) => configId);
}

test('a message with a configuration is answered with a task, for which there can be notifications', async () => {
  const { engine, operations } = await startTestOperations(completing, { push });
  expect(await operations.sendMessage(withConfig('direct'), requestContext())).toHaveProperty('task');
  expect(await targets(engine.store)).toHaveLength(1);
});

test('a send that is rejected leaves no target behind', async () => {
  const { engine, operations } = await startTestOperations(completing, { push });
  await engine.turns.stop(0);
  await expect(operations.sendMessage(withConfig('too late'), requestContext())).rejects.toThrow(
    'shutting down',
  );
  expect(await targets(engine.store)).toEqual([]);
});

test('the same intent sent twice has one target', async () => {
  const { engine, operations } = await startTestOperations(completing, { push });
  const context = requestContext({ idempotencyKey: 'key' });
  const [first, second] = await Promise.all([
    operations.sendMessage(withConfig('once'), context),
    operations.sendMessage(withConfig('once'), context),
  ]);
  expect(taskIn(first).id).toBe(taskIn(second).id);
  expect(await targets(engine.store)).toHaveLength(1);
});

test('neither the agent nor the journal gets the configuration', async () => {
  const turns: Turn[] = [];
  const store = openMemoryStore();
  const { operations } = await startTestOperations(
    async (turn, sink) => {
      turns.push(turn);
      await sink.complete();
    },
    { push, store },
  );
  const { id } = taskIn(
    await operations.sendMessage(withConfig('quiet', { token: 'hidden' }), requestContext()),
  );
  expect(JSON.stringify(turns[0]?.configuration)).not.toContain('hidden');
  expect(JSON.stringify(await store.readEvents(id, 0, 10))).not.toContain('hidden');
});

test('a 0.3 client finds its configuration under the id of its task', async () => {
  const { operations } = await startTestOperations(completing, { push });
  const context = requestContext({ version: '0.3' });
  const { id } = taskIn(await operations.sendMessage(withConfig('old'), context));
  expect(await operations.getTaskPushNotificationConfig({ taskId: id, id }, context)).toMatchObject({ id });
});

test.each([
  ['id', { id: 'x'.repeat(257) }],
  ['id', { id: '\ud800' }],
  ['token', { token: 'a\r\nX-Injected: 1' }],
  ['authentication.scheme', { authentication: { scheme: 'Two words' } }],
  ['authentication.credentials', { authentication: { scheme: 'Bearer', credentials: 'ü' } }],
  ['url', { url: 'https://127.0.0.1/' }],
])('a wrong %s is rejected by its name', async (field, config) => {
  const { operations } = await startTestOperations(completing, { push });
  const { id: taskId } = taskIn(await operations.sendMessage(send('done'), requestContext()));
  await expect(
    operations.createTaskPushNotificationConfig({ taskId, url: PUBLIC, ...config }, requestContext()),
  ).rejects.toMatchObject({ code: 'INVALID_PARAMS', fields: [{ field }] });
  await expect(operations.sendMessage(withConfig('no', config), requestContext())).rejects.toMatchObject({
    fields: [{ field: `configuration.taskPushNotificationConfig.${field}` }],
  });
});

test('a task has a limited number of configurations, and an existing one can still be changed', async () => {
  const { operations } = await startTestOperations(completing, { push });
  const { id: taskId } = taskIn(await operations.sendMessage(send('done'), requestContext()));
  const create = (id: string) =>
    operations.createTaskPushNotificationConfig({ taskId, id, url: PUBLIC }, requestContext());
  for (let index = 0; index < 100; index += 1) await create(`config ${index}`);
  await expect(create('one more')).rejects.toMatchObject({ code: 'RESOURCE_EXHAUSTED' });
  expect(await create('config 7')).toMatchObject({ id: 'config 7' });
});

test('a page token of another list is rejected', async () => {
  const { operations } = await startTestOperations(completing, { push });
  const { id: taskId } = taskIn(await operations.sendMessage(send('done'), requestContext()));
  await expect(
    operations.listTaskPushNotificationConfigs({ taskId, pageToken: 'bm8' }, requestContext()),
  ).rejects.toMatchObject({ code: 'INVALID_PARAMS', fields: [{ field: 'pageToken' }] });
});

test('push configurations are rejected, as the card says', async () => {
  const { operations } = await startTestOperations(async () => {});
  const refused = { code: 'PUSH_NOTIFICATION_NOT_SUPPORTED' };
  const config = { id: 'p', taskId: 't', url: 'https://example.org/hook' };
  const context = requestContext();
  await expect(operations.createTaskPushNotificationConfig(config, context)).rejects.toMatchObject(refused);
  await expect(operations.getTaskPushNotificationConfig(config, context)).rejects.toMatchObject(refused);
  await expect(operations.listTaskPushNotificationConfigs({ taskId: 't' }, context)).rejects.toMatchObject(
    refused,
  );
  await expect(operations.deleteTaskPushNotificationConfig(config, context)).rejects.toMatchObject(refused);
});
