import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Message, Task } from '@holdword/protocol';
import { openMemoryStore } from '@holdword/store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { livingProcesses, recordedMarks } from '../executors/child-process/testing/living-processes.ts';
import { startReceiver } from '../push/testing/start-receiver.ts';
import type { LegacyPushNotificationConfig, PushNotificationConfig } from './adapter-requests.ts';
import { OpenClawAgentAdapter, type OpenClawAdapterOptions } from './openclaw-agent-adapter.ts';
import { FAKE_OPENCLAW } from './testing/index.ts';

interface TestAdapter {
  readonly adapter: OpenClawAgentAdapter;
  readonly dataFolder: string;
  /** The arguments of each call of the program. */
  readonly calls: () => Promise<string[]>;
}

async function open(options: OpenClawAdapterOptions = {}): Promise<TestAdapter> {
  const dataFolder = await mkdtemp(join(tmpdir(), 'holdword-adapter-'));
  onTestFinished(() => rm(dataFolder, { recursive: true }));
  const log = join(dataFolder, 'calls.log');
  const adapter = new OpenClawAgentAdapter({
    openclaw_path: FAKE_OPENCLAW,
    env_vars: { FAKE_OPENCLAW_LOG: log },
    dataFolder,
    ...options,
  });
  onTestFinished(() => adapter.close());
  return { adapter, dataFolder, calls: async () => (await readFile(log, 'utf8')).trim().split('\n') };
}

function taskIn(answer: Task | Message): Task {
  if (!('status' in answer)) throw new Error('Expected a task, found a message.');
  return answer;
}

async function poll(adapter: OpenClawAgentAdapter, taskId: string): Promise<Task> {
  await expect
    .poll(async () => (await adapter.getTask(taskId))?.status.state, { timeout: 10_000 })
    .not.toMatch(/SUBMITTED|WORKING/);
  const task = await adapter.getTask(taskId);
  if (task === undefined) throw new Error('Expected a task.');
  return task;
}

test('a start that failed is tried again by the next call', async () => {
  const parent = await mkdtemp(join(tmpdir(), 'holdword-adapter-'));
  onTestFinished(() => rm(parent, { recursive: true }));
  const dataFolder = join(parent, 'data');
  await writeFile(dataFolder, 'a file where the folder should be');
  const { adapter } = await open({ dataFolder });
  await expect(adapter.handle('hello')).rejects.toThrow(/ENOTDIR|EEXIST/);
  await rm(dataFolder);
  const task = taskIn(await adapter.handle('hello'));
  expect(await poll(adapter, task.id)).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
});

describe('asynchronous tasks', () => {
  test('are returned at once and polled until they end', async () => {
    const { adapter } = await open();
    const task = taskIn(await adapter.handle('Write a hello world function'));
    expect(task.status.state).toMatch(/SUBMITTED|WORKING/);
    expect(await poll(adapter, task.id)).toMatchObject({
      status: {
        state: 'TASK_STATE_COMPLETED',
        message: { parts: [{ text: 'You said: Write a hello world function' }] },
      },
    });
    expect(adapter.supportsAsyncTasks()).toBe(true);
    expect(await adapter.getTask('no such task')).toBeUndefined();
  });

  test('are canceled together with their process; an ended task stays as it is', async () => {
    const { adapter, dataFolder } = await open();
    const { id } = taskIn(await adapter.handle('run forever'));
    const processFolder = join(dataFolder, 'processes');
    await expect.poll(async () => livingProcesses(await recordedMarks(processFolder))).not.toEqual([]);
    const marks = await recordedMarks(processFolder);
    expect((await adapter.cancelTask(id))?.status.state).toBe('TASK_STATE_CANCELED');
    await expect.poll(() => livingProcesses(marks)).toEqual([]);
    expect((await adapter.cancelTask(id))?.status.state).toBe('TASK_STATE_CANCELED');
    expect(await adapter.cancelTask('no such task')).toBeUndefined();
  });

  test('fail when they time out', async () => {
    const { adapter } = await open({ timeout: 0.3 });
    const { id } = taskIn(await adapter.handle('run forever'));
    expect((await poll(adapter, id)).status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ text: expect.stringContaining('timed out after 0.3 s') }] },
    });
  });

  test('can be deleted once they have ended', async () => {
    const { adapter } = await open();
    const { id } = taskIn(await adapter.handle('run forever'));
    await expect(adapter.deleteTask(id)).rejects.toThrow('has not ended: it is in TASK_STATE_');
    await adapter.cancelTask(id);
    expect(await adapter.deleteTask(id)).toBe(true);
    expect(await adapter.getTask(id)).toBeUndefined();
    expect(await adapter.deleteTask(id)).toBe(false);
  });
});

describe('synchronous mode', () => {
  test('waits for the message', async () => {
    const { adapter } = await open({ async_mode: false });
    const answer = await adapter.handle('hello');
    expect(answer).toMatchObject({ role: 'ROLE_AGENT', parts: [{ text: 'You said: hello' }] });
    expect(answer).toMatchObject({ metadata: { model: 'fake-1' } });
    expect(adapter.supportsAsyncTasks()).toBe(false);
  });

  test('a failure is thrown with its reason', async () => {
    const { adapter } = await open({ asyncMode: false });
    await expect(adapter.handle('fail now')).rejects.toMatchObject({
      code: 'agent-failed',
      message: expect.stringContaining('provider rejected the request'),
    });
  });
});

describe('sessions', () => {
  test('messages without a context share the session of the adapter', async () => {
    const { adapter, calls } = await open({ session_id: 'my-session', async_mode: false, agent_id: 'main' });
    await adapter.handle('one');
    await adapter.handle('two');
    expect(await calls()).toEqual([
      'agent --local --message=one --json --session-id my-session --thinking low --agent main',
      'agent --local --message=two --json --session-id my-session --thinking low --agent main',
    ]);
  });

  test('each context has its own session', async () => {
    const { adapter, calls } = await open({ asyncMode: false });
    await adapter.handle({ message: { contextId: 'user:123/session:456', parts: [{ text: 'hi' }] } });
    await adapter.handle('hi');
    const [first, second] = await calls();
    expect(first).toContain('--session-id a2a-user-123-session-456 ');
    expect(second).toMatch(/--session-id a2a-[0-9a-f]{12} /);
  });
});

describe('push notifications', () => {
  test('are delivered with the bearer token, for a cancellation as well', async () => {
    const receiver = await startReceiver();
    const { adapter } = await open({ push: { allowPrivate: ['127.0.0.1'] } });
    const { id } = taskIn(await adapter.handle('run forever'));
    const config = { url: receiver.url, token: 'secret-token' };
    expect(await adapter.setPushNotificationConfig(id, config)).toBe(true);
    expect(await adapter.getPushNotificationConfig(id)).toMatchObject({ url: receiver.url });
    await adapter.cancelTask(id);
    await expect.poll(() => JSON.stringify(receiver.received.at(-1))).toContain('TASK_STATE_CANCELED');
    expect(receiver.received.at(-1)?.headers['authorization']).toBe('Bearer secret-token');
    expect(adapter.supportsPushNotifications()).toBe(true);
  });

  test('are read as they were set, and setting what was read changes nothing', async () => {
    const receiver = await startReceiver();
    const { adapter } = await open({ push: { allowPrivate: ['127.0.0.1'] } });
    const { id } = taskIn(await adapter.handle('run forever'));
    const configs: PushNotificationConfig[] = [
      { id: 'mine', url: receiver.url, token: 'secret-token' },
      { id: 'mine', url: receiver.url, authentication: { scheme: 'Basic', credentials: 'dTpw' } },
      {
        id: 'mine',
        url: receiver.url,
        token: 't',
        authentication: { scheme: 'Bearer', credentials: 'other' },
      },
      { id: 'mine', url: receiver.url, version: '0.3' },
    ];
    for (const config of configs) {
      await adapter.setPushNotificationConfig(id, config);
      const read = await adapter.getPushNotificationConfig(id);
      expect(read).toEqual(config);
      if (read) await adapter.setPushNotificationConfig(id, read);
      expect(await adapter.getPushNotificationConfig(id)).toEqual(config);
    }
    await adapter.setPushNotificationConfig(id, configs[0] as PushNotificationConfig);
    await adapter.cancelTask(id);
    await expect.poll(() => receiver.received.at(-1)?.headers['authorization']).toBe('Bearer secret-token');
  });

  test.each<[string, PushNotificationConfig | LegacyPushNotificationConfig, string, string]>([
    ['1.0', { url: '' }, 'application/a2a+json', 'TASK_STATE_CANCELED'],
    ['0.3', { url: '', version: '0.3' }, 'application/json', '"state":"canceled"'],
    ['0.3', { url: '', authentication: { schemes: ['Bearer'] } }, 'application/json', '"state":"canceled"'],
  ])('are written in A2A %s as configured: %j', async (_, config, contentType, state) => {
    const receiver = await startReceiver();
    const { adapter } = await open({ push: { allowPrivate: ['127.0.0.1'] } });
    const { id } = taskIn(await adapter.handle('run forever'));
    await adapter.setPushNotificationConfig(id, { ...config, url: receiver.url });
    await adapter.cancelTask(id);
    await expect.poll(() => receiver.received.at(-1)?.body).toContain(state);
    expect(receiver.received.at(-1)?.headers['content-type']).toBe(contentType);
  });

  test('are rejected with the field that is wrong', async () => {
    const { adapter } = await open();
    const { id } = taskIn(await adapter.handle('hello'));
    await expect(adapter.setPushNotificationConfig(id, { uri: 'https://x' } as never)).rejects.toThrow(
      'push configuration.uri: unknown field; did you mean "url"?',
    );
    await expect(adapter.setPushNotificationConfig(id, {} as never)).rejects.toThrow(
      'url: expected a string',
    );
  });

  test('can be removed, and need an existing task', async () => {
    const { adapter } = await open({ push: { allowPrivate: ['127.0.0.1'] } });
    const { id } = taskIn(await adapter.handle('hello'));
    const config = { url: 'http://127.0.0.1:8080/hook' };
    expect(await adapter.getPushNotificationConfig(id)).toBeUndefined();
    expect(await adapter.deletePushNotificationConfig(id)).toBe(false);
    await adapter.setPushNotificationConfig(id, config);
    expect(await adapter.deletePushNotificationConfig(id)).toBe(true);
    expect(await adapter.getPushNotificationConfig(id)).toBeUndefined();
    expect(await adapter.setPushNotificationConfig('no such task', config)).toBe(false);
  });

  test('can be disabled', async () => {
    const { adapter } = await open({ push: false });
    expect(adapter.supportsPushNotifications()).toBe(false);
    await expect(
      adapter.setPushNotificationConfig('any', { url: 'https://example.org' }),
    ).rejects.toMatchObject({
      code: 'PUSH_NOTIFICATION_NOT_SUPPORTED',
    });
  });
});

describe('closing', () => {
  test('keeps the tasks in a store passed to the adapter', async () => {
    const taskStore = openMemoryStore();
    onTestFinished(() => taskStore.close());
    const first = await open({ taskStore });
    const { id } = taskIn(await first.adapter.handle('hello'));
    await poll(first.adapter, id);
    await first.adapter.close();
    await expect(first.adapter.handle('more')).rejects.toThrow('The adapter is closed.');
    const second = await open({ taskStore });
    expect((await second.adapter.getTask(id))?.status.state).toBe('TASK_STATE_COMPLETED');
  });

  test('works for an adapter that was never used', async () => {
    const { adapter } = await open();
    await adapter.close();
  });
});

describe('parameters of A2A 0.3', () => {
  test('reach the agent: context, kinds of parts, notifications', async () => {
    const receiver = await startReceiver();
    const { adapter, calls } = await open({ push: { allowPrivate: ['127.0.0.1'] } });
    const answer = await adapter.handle({
      message: {
        kind: 'message',
        role: 'user',
        messageId: 'm-1',
        contextId: 'user:1/session:2',
        parts: [{ kind: 'file', file: { uri: 'https://example.com/a.png', mimeType: 'image/png' } }],
      },
      configuration: { blocking: true, pushNotificationConfig: { url: receiver.url, token: 'hook-token' } },
    });
    expect(answer).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      contextId: 'user:1/session:2',
    });
    expect((await calls()).join(' ')).toMatch(
      /Attached file: https:\/\/example.com\/a.png \(image\/png\) .*--session-id a2a-user-1-session-2 /,
    );
    await expect.poll(() => receiver.received.at(-1)?.body).toContain('"state":"completed"');
    expect(receiver.received.at(-1)?.headers).toMatchObject({
      'content-type': 'application/json',
      authorization: 'Bearer hook-token',
    });
  });

  test('may have names with underscores', async () => {
    const { adapter, calls } = await open({ asyncMode: false });
    await adapter.handle({
      message: {
        role: 'user',
        message_id: 'm-1',
        context_id: 'my_context',
        parts: [{ kind: 'text', text: 'hi' }],
      },
      configuration: { history_length: 0 },
    } as never);
    expect(await calls()).toEqual([expect.stringContaining('--session-id a2a-my_context ')]);
  });
});

test.each([
  [undefined, 'expected a text, or an object with a message, found nothing'],
  [{}, 'message: expected an object, found nothing'],
  [{ message: 'hi' }, 'message: expected an object, found "hi"'],
  [{ mesage: {} }, 'mesage: unknown field; did you mean "message"?'],
  [{ message: { role: 'agent', parts: [{ text: 'hi' }] } }, "message.role: expected 'user', found 'agent'"],
  [{ message: { role: 'ROLE_AGENT', parts: [{ text: 'hi' }] } }, "message.role: expected 'user'"],
  [{ message: { contextID: 'c', parts: [] } }, 'message.contextID: unknown field; did you mean "contextId"?'],
  [{ message: { contextId: 'c', context_id: 'd' } }, 'message.context_id: is given in two spellings'],
  [{ message: { role: 'robot', parts: [{ text: 'hi' }] } }, 'message.role: expected'],
  [{ message: { parts: [{ kind: 'txt', text: 'hi' }] } }, 'message.parts[0]'],
  [
    { message: { parts: [{ text: 'hi' }] }, configuration: { blocking: 'yes' } },
    'configuration.returnImmediately: expected a boolean, found "yes"',
  ],
  [
    { message: { parts: [{ text: 'hi' }] }, configuration: { blocking: true, returnImmediately: true } },
    'configuration.blocking: is returnImmediately in A2A 0.3, which is given as well; remove one of them',
  ],
])('handle(%j) is rejected', async (parameters, message) => {
  const { adapter } = await open();
  await expect(adapter.handle(parameters as never)).rejects.toMatchObject({
    code: 'INVALID_PARAMS',
    message: expect.stringContaining(message),
  });
});

test('an error that ends with a question has no full stop', async () => {
  const { adapter } = await open();
  await expect(adapter.handle({ mesage: {} } as never)).rejects.toThrow(/did you mean "message"\?$/);
});

test('null is no object of options', () => {
  expect(() => new OpenClawAgentAdapter(null as never)).toThrow(
    'Expected the options of an agent, found null.',
  );
});

test('a missing program is named', async () => {
  const { adapter } = await open({ openclaw_path: '/opt/no/openclaw', asyncMode: false });
  await expect(adapter.handle('hi')).rejects.toThrow('The program "openclaw" was not found.');
});

test.each([
  [{ sesion_id: 'x' }, 'Unknown option "sesion_id" of agent openclaw. Did you mean "sessionId"?'],
  [{ thinking: 'hgih' }, 'Invalid option thinking of agent openclaw: expected one of off, minimal, low'],
  [{ timeout: 0 }, 'Invalid option timeout of agent openclaw: expected a number of seconds above 0'],
])('the options %j are rejected when the adapter is made', (options, message) => {
  expect(() => new OpenClawAgentAdapter(options as object)).toThrow(message);
});
