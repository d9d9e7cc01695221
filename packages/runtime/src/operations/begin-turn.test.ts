import { IDEMPOTENCY_EXTENSION, type Part, type SendMessageConfiguration } from '@holdword/protocol';
import { openMemoryStore } from '@holdword/store';
import { describe, expect, test } from 'vitest';
import type { AgentDescription } from '../agent-description.ts';
import { gateCommits } from '../engine/testing/gate-commits.ts';
import { userMessage } from '../engine/testing/start-test-engine.ts';
import { checkMediaTypes, payloadHash } from './begin-turn.ts';
import {
  readStream,
  requestContext,
  send,
  sendForTask,
  startTestOperations,
  taskIn,
} from './testing/start-test-operations.ts';

const TIMES = 50;

describe('one intent, one task (J8)', () => {
  test.each([
    ['a context each', {}],
    ['one context', { contextId: 'talk' }],
  ])(`for ${TIMES} equal sends at the same time, with %s`, async (_name, message) => {
    let executed = 0;
    const { engine, operations } = await startTestOperations(async (_turn, sink) => {
      executed += 1;
      await sink.complete('done');
    });
    const context = requestContext({ idempotencyKey: 'k' });
    const tasks = await Promise.all(
      Array.from({ length: TIMES }, async () =>
        taskIn(await operations.sendMessage(send('go', message), context)),
      ),
    );
    expect(new Set(tasks.map(({ id }) => id)).size).toBe(1);
    expect(tasks.every(({ status }) => status.state === 'TASK_STATE_COMPLETED')).toBe(true);
    expect(executed).toBe(1);
    expect((await operations.listTasks({}, requestContext())).totalSize).toBe(1);
    await expect.poll(() => engine.turns.activity).toEqual({ running: 0, queued: 0 });
  });

  test(`for ${TIMES} equal follow-ups at the same time, which run as one turn`, async () => {
    let executed = 0;
    const { operations } = await startTestOperations(async (turn, sink) => {
      executed += 1;
      await (turn.task.history?.length === 1 ? sink.askInput('Which?') : sink.askInput('And?'));
    });
    const { id } = await sendForTask(operations, 'go');
    const context = requestContext({ idempotencyKey: 'k' });
    const tasks = await Promise.all(
      Array.from({ length: TIMES }, async () =>
        taskIn(await operations.sendMessage(send('this', { taskId: id }), context)),
      ),
    );
    expect(executed).toBe(2);
    expect(new Set(tasks.map((task) => task.id))).toEqual(new Set([id]));
    expect((await operations.getTask({ id }, requestContext())).history).toHaveLength(4);
  });

  test('for a send repeated after its end, while it runs, and without waiting', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const { operations } = await startTestOperations(async () => mayEnd);
    const context = requestContext({ idempotencyKey: 'k' });
    const now = send('go', {}, { configuration: { returnImmediately: true } });
    const first = taskIn(await operations.sendMessage(now, context));
    const again = taskIn(await operations.sendMessage(now, context));
    expect(again).toEqual(first);
    const waiting = operations.sendMessage(send('go'), context);
    end();
    expect(taskIn(await waiting)).toMatchObject({ id: first.id, status: { state: 'TASK_STATE_COMPLETED' } });
    expect(taskIn(await operations.sendMessage(send('go'), context))).toMatchObject({
      id: first.id,
      status: { state: 'TASK_STATE_COMPLETED' },
    });
  });

  test('for clients that declare the extension, by messageId', async () => {
    const { operations } = await startTestOperations(async () => {});
    const declared = requestContext({ extensions: new Set([IDEMPOTENCY_EXTENSION]) });
    const one = taskIn(await operations.sendMessage(send('go'), declared));
    expect(taskIn(await operations.sendMessage(send('go'), declared)).id).toBe(one.id);
    expect(taskIn(await operations.sendMessage(send('go', { messageId: 'other' }), declared)).id).not.toBe(
      one.id,
    );
    // A plain client may reuse a messageId.
    expect(taskIn(await operations.sendMessage(send('go'), requestContext())).id).not.toBe(one.id);
  });

  test('belongs to its owner: another caller’s key is a different key', async () => {
    const { operations } = await startTestOperations(async () => {});
    const mine = requestContext({ idempotencyKey: 'k' });
    const yours = requestContext({
      idempotencyKey: 'k',
      owner: { tenant: '', caller: 'you', authenticated: true },
    });
    const tasks = [
      taskIn(await operations.sendMessage(send('go'), mine)),
      taskIn(await operations.sendMessage(send('go'), yours)),
    ];
    expect(tasks[0]?.id).not.toBe(tasks[1]?.id);
  });

  test('even if the first is not on disk yet', async () => {
    const gate = gateCommits(openMemoryStore());
    const { operations } = await startTestOperations(async () => {}, { store: gate.store });
    const context = requestContext({ idempotencyKey: 'k' });
    const sends = [operations.sendMessage(send('go'), context), operations.sendMessage(send('go'), context)];
    await expect.poll(() => gate.held).toBe(2);
    gate.open();
    const [first, second] = await Promise.all(sends);
    expect(first).toEqual(second);
  });
});

describe('a different payload with the same key', () => {
  test('is a conflict, sooner or later, and names the task', async () => {
    const { operations } = await startTestOperations(async () => {});
    const context = requestContext({ idempotencyKey: 'k' });
    const answers = await Promise.allSettled([
      operations.sendMessage(send('one'), context),
      operations.sendMessage(send('two'), context),
    ]);
    const first = answers[0].status === 'fulfilled' ? taskIn(answers[0].value) : undefined;
    const conflict = { code: 'IDEMPOTENCY_CONFLICT', metadata: { taskId: first?.id } };
    expect(answers[1]).toMatchObject({ status: 'rejected', reason: conflict });
    await expect(operations.sendMessage(send('three'), context)).rejects.toMatchObject(conflict);
    await expect(operations.sendStreamingMessage(send('three'), context)).rejects.toMatchObject(conflict);
  });

  test('is a conflict for follow-ups as well', async () => {
    const { operations } = await startTestOperations((_turn, sink) => sink.askInput('?'));
    const { id } = await sendForTask(operations, 'go');
    const context = requestContext({ idempotencyKey: 'k' });
    await operations.sendMessage(send('this', { taskId: id }), context);
    await expect(operations.sendMessage(send('that', { taskId: id }), context)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    });
    await expect(operations.sendMessage(send('this'), context)).rejects.toMatchObject({
      code: 'IDEMPOTENCY_CONFLICT',
    });
  });
});

describe('a stream that repeats a send', () => {
  test('has all events of the task, to the end of its turn', async () => {
    const { operations } = await startTestOperations((_turn, sink) => sink.complete('done'));
    const context = requestContext({ idempotencyKey: 'k' });
    const first = await readStream(operations.sendStreamingMessage(send('go'), context));
    const again = await readStream(operations.sendStreamingMessage(send('go'), context));
    expect(again.json).toEqual(first.json);
  });

  test('of a follow-up continues past the question of the previous turn', async () => {
    const { operations } = await startTestOperations(async (turn, sink) =>
      turn.task.history?.length === 1 ? sink.askInput('Which?') : sink.complete('done'),
    );
    const { id } = await sendForTask(operations, 'go');
    const context = requestContext({ idempotencyKey: 'k' });
    const followUp = send('this', { taskId: id });
    await operations.sendMessage(followUp, context);
    const { sequences, events } = await readStream(operations.sendStreamingMessage(followUp, context));
    expect(sequences).toEqual([1, 2, 3, 4, 5]);
    expect(events.at(-1)).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_COMPLETED' } } });
  });

  test('while the turn runs follows it to its end', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const { operations } = await startTestOperations(async () => mayEnd);
    const context = requestContext({ idempotencyKey: 'k' });
    const first = readStream(operations.sendStreamingMessage(send('go'), context));
    await expect.poll(async () => (await operations.listTasks({}, requestContext())).totalSize).toBe(1);
    const again = await operations.sendStreamingMessage(send('go'), context);
    end();
    expect((await readStream(again)).json).toEqual((await first).json);
  });
});

const data = { parts: [{ data: { b: [1, { y: 1, x: 2 }], a: null } }] };

test('is the same for the same intent, whatever the order of keys and however the sender waits', () => {
  const hash = payloadHash(send('', data, { metadata: { a: 1, b: 2 } }));
  const reordered = { parts: [{ data: { a: null, b: [1, { x: 2, y: 1 }] } }] };
  expect(payloadHash(send('', reordered, { metadata: { b: 2, a: 1 } }))).toBe(hash);
  const configuration = { returnImmediately: true, historyLength: 3 };
  expect(payloadHash(send('', data, { metadata: { a: 1, b: 2 }, configuration }))).toBe(hash);
});

test('differs with anything that the agent would see', () => {
  const requests = [
    send('x'),
    send('y'),
    send('x', { messageId: 'other' }),
    send('x', { contextId: 'c' }),
    send('x', { taskId: 't' }),
    send('x', {}, { metadata: { a: 1 } }),
    send('x', { parts: [{ text: 'x' }, { text: '' }] }),
    send('x', { parts: [{ data: [1, 2] }] }),
    send('x', { parts: [{ data: [2, 1] }] }),
    send('x', { parts: [{ data: { 0: 1, 1: 2 } }] }),
  ];
  expect(new Set(requests.map(payloadHash)).size).toBe(requests.length);
});

function check(
  modes: Partial<AgentDescription>,
  parts: Part[],
  configuration: SendMessageConfiguration = {},
): void {
  checkMediaTypes({ name: 'a', description: 'b', ...modes }, userMessage('', { parts }), configuration);
}

describe('what the agent accepts', () => {
  test.each<[string[] | undefined, Part]>([
    [undefined, { text: 'plain by default' }],
    [['text/plain'], { text: 'x', mediaType: 'Text/Plain; charset=utf-8' }],
    [['text/*'], { text: 'x', mediaType: 'text/markdown' }],
    [['text'], { text: 'x', mediaType: 'text/markdown' }],
    [['application/json'], { data: { a: 1 } }],
    [['application/octet-stream'], { raw: 'AAAA' }],
    [['IMAGE/PNG'], { url: 'https://example.org/x', mediaType: 'image/png' }],
    [['*/*'], { raw: 'AAAA', mediaType: 'video/mp4' }],
    [['*'], { data: 1 }],
  ])('%j accepts %j', (defaultInputModes, part) => {
    check(defaultInputModes === undefined ? {} : { defaultInputModes }, [part]);
  });

  test.each<[string[] | undefined, Part, string]>([
    [undefined, { data: {} }, 'application/json'],
    [['text/plain'], { text: 'x', mediaType: 'text/html' }, 'text/html'],
    [['image/*'], { text: 'x' }, 'text/plain'],
    [['text'], { text: 'x', mediaType: 'textual/x' }, 'textual/x'],
    [['text/plain'], { raw: 'AAAA' }, 'application/octet-stream'],
  ])('%j rejects %j', (defaultInputModes, part, found) => {
    const modes = defaultInputModes === undefined ? {} : { defaultInputModes };
    const parts = [{ text: 'fine', mediaType: (defaultInputModes ?? ['text/plain'])[0] ?? '' }, part];
    expect(() => check(modes, parts)).toThrow(
      expect.objectContaining({
        code: 'CONTENT_TYPE_NOT_SUPPORTED',
        fields: [{ field: 'message.parts[1]', description: expect.stringContaining(found) }],
      }),
    );
  });
});

describe('what the sender accepts', () => {
  const agent = { defaultOutputModes: ['text/plain', 'application/json'] };

  test.each([
    [[]],
    [['text/plain']],
    [['TEXT/PLAIN']],
    [['image/png', 'application/json']],
    [['text/*']],
    [['*/*']],
    [['text/plain; charset=utf-8']],
  ])('%j can be produced', (acceptedOutputModes) => {
    check(agent, [{ text: 'x' }], { acceptedOutputModes });
  });

  test('an agent that produces a range matches a type within it', () => {
    check({ defaultOutputModes: ['Image/*'] }, [{ text: 'x' }], { acceptedOutputModes: ['image/PNG'] });
  });

  test('nothing in common is rejected, with both lists', () => {
    expect(() => check(agent, [{ text: 'x' }], { acceptedOutputModes: ['image/png'] })).toThrow(
      expect.objectContaining({
        code: 'CONTENT_TYPE_NOT_SUPPORTED',
        fields: [expect.objectContaining({ field: 'configuration.acceptedOutputModes' })],
        metadata: { available: 'text/plain, application/json', accepted: 'image/png' },
      }),
    );
  });
});
