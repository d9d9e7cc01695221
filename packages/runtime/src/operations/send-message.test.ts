import { RESUME_EXTENSION, type Task } from '@holdword/protocol';
import { describe, expect, test } from 'vitest';
import { LiveTasks } from '../engine/live-tasks.ts';
import { outline, readJournal } from '../engine/testing/read-journal.ts';
import { headerOf } from '../engine/testing/start-test-engine.ts';
import { noopLog } from '../log.ts';
import {
  readStream,
  requestContext,
  send,
  sendForTask,
  startTestOperations,
  taskIn,
} from './testing/start-test-operations.ts';

function texts(history: { parts: { text?: string | undefined }[] }[] | undefined): unknown {
  return history?.map(({ parts }) => parts[0]?.text);
}

describe('a blocking send', () => {
  test('returns the task when it has ended', async () => {
    const { operations } = await startTestOperations(async (_turn, sink) => {
      await sink.status('thinking');
      await sink.artifact({ artifactId: 'a', parts: '42' });
      await sink.complete('done');
    });
    const task = await sendForTask(operations, 'go');
    expect(task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'done' }] } },
      artifacts: [{ artifactId: 'a', parts: [{ text: '42' }] }],
    });
    expect(texts(task.history)).toEqual(['go', 'done']);
  });

  test('returns when the task waits for its user, and continues with the next message', async () => {
    const { operations } = await startTestOperations(async (turn, sink) => {
      const asked = turn.task.history?.length ?? 0;
      if (asked === 1) await sink.askInput('Which?');
      else if (asked === 3) await sink.askAuth('Log in.');
    });
    const asking = await sendForTask(operations, 'one');
    expect(asking.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    const ids = { taskId: asking.id, contextId: asking.contextId };
    expect((await sendForTask(operations, 'two', ids)).status.state).toBe('TASK_STATE_AUTH_REQUIRED');
    const done = await sendForTask(operations, 'three', { taskId: asking.id });
    expect(done).toMatchObject({
      id: asking.id,
      contextId: asking.contextId,
      status: { state: 'TASK_STATE_COMPLETED' },
    });
    expect(texts(done.history)).toEqual(['one', 'Which?', 'two', 'Log in.', 'three']);
  });

  test('returns the outcome that another process wrote when it took over the task', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const { engine, operations } = await startTestOperations(async (_turn, sink) => {
      await mayEnd;
      await sink.status('too late');
    });
    const answer = operations.sendMessage(send('go'), requestContext());
    const working = async (): Promise<Task[]> =>
      (await operations.listTasks({ status: 'TASK_STATE_WORKING' }, requestContext())).tasks;
    await expect.poll(working).toHaveLength(1);
    const taskId = (await working())[0]?.id ?? '';
    const header = await headerOf(engine.store, taskId);
    await engine.store.releaseLease(taskId, header.fence);
    const elsewhere = new LiveTasks(
      { store: engine.store, log: noopLog, includeSequence: true },
      'elsewhere',
    );
    const live = await elsewhere.open(header);
    end();
    await expect.poll(() => engine.turns.activity.running).toBe(0);
    live.writeStatus('TASK_STATE_COMPLETED', { parts: [{ text: 'done elsewhere' }] });
    expect(taskIn(await answer).status).toMatchObject({
      state: 'TASK_STATE_COMPLETED',
      message: { parts: [{ text: 'done elsewhere' }] },
    });
  });

  test('ends when its caller disconnects; the task continues', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const { engine, operations } = await startTestOperations(async () => mayEnd);
    const caller = new AbortController();
    const answer = operations.sendMessage(send('go'), requestContext({ signal: caller.signal }));
    await expect.poll(() => engine.turns.activity.running).toBe(1);
    caller.abort();
    const task = taskIn(await answer);
    expect(task.status.state).toBe('TASK_STATE_WORKING');
    end();
    await expect
      .poll(async () => (await operations.getTask({ id: task.id }, requestContext())).status.state)
      .toBe('TASK_STATE_COMPLETED');
  });

  test('returns as much history as requested', async () => {
    const { operations } = await startTestOperations((_turn, sink) => sink.complete('bye'));
    for (const [historyLength, expected] of [
      [undefined, ['hi', 'bye']],
      [0, undefined],
      [1, ['bye']],
      [9, ['hi', 'bye']],
    ] as const) {
      const configuration = historyLength === undefined ? {} : { historyLength };
      const task = taskIn(await operations.sendMessage(send('hi', {}, { configuration }), requestContext()));
      expect(texts(task.history)).toEqual(expected);
    }
  });
});

test('returnImmediately returns the task as soon as it is on disk', async () => {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const { operations } = await startTestOperations(async () => mayEnd);
  const request = send('go', {}, { configuration: { returnImmediately: true } });
  const task = taskIn(await operations.sendMessage(request, requestContext()));
  expect(task.status.state).toBe('TASK_STATE_WORKING');
  expect(await operations.getTask({ id: task.id }, requestContext())).toEqual(task);
  end();
});

/** An agent that answers with a plain message when the test lets it. */
async function startSlowGreeter() {
  const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
  const { operations, engine } = await startTestOperations({
    answersDirectly: () => true,
    execute: async (_turn, sink) => {
      await mayEnd;
      await sink.message('hi');
    },
  });
  const tasks = async () => (await operations.listTasks({ contextId: 'talk' }, requestContext())).tasks;
  return { operations, engine, end, tasks };
}

describe('a plain message as a response', () => {
  const greeter = {
    answersDirectly: () => true,
    execute: async (
      turn: { mayAnswerDirectly: boolean },
      sink: { message(text: string): Promise<void>; complete(text: string): Promise<void> },
    ) => (turn.mayAnswerDirectly ? sink.message('hi') : sink.complete('hi')),
  };

  test('is returned to callers that accept one', async () => {
    const { operations } = await startTestOperations(greeter);
    const answer = await operations.sendMessage(send('hello', { contextId: 'talk' }), requestContext());
    expect(answer).toEqual({
      message: {
        messageId: expect.any(String),
        role: 'ROLE_AGENT',
        contextId: 'talk',
        parts: [{ text: 'hi' }],
      },
    });
  });

  test('is not returned to callers that want to poll or find the task again', async () => {
    const { operations } = await startTestOperations(greeter);
    const configuration = { returnImmediately: true };
    taskIn(await operations.sendMessage(send('hello', {}, { configuration }), requestContext()));
    taskIn(await operations.sendMessage(send('hello'), requestContext({ idempotencyKey: 'k' })));
  });

  test('leaves no task behind once it has been delivered', async () => {
    const { operations } = await startTestOperations(greeter);
    await operations.sendMessage(send('hello'), requestContext());
    await readStream(operations.sendStreamingMessage(send('hello'), requestContext()));
    await expect.poll(async () => (await operations.listTasks({}, requestContext())).totalSize).toBe(0);
  });

  describe('that its caller did not wait for', () => {
    test.each(['sendMessage', 'sendStreamingMessage'] as const)(
      'is the outcome of a task (%s)',
      async (operation) => {
        const { operations, end, tasks } = await startSlowGreeter();
        const caller = new AbortController();
        const context = requestContext({ signal: caller.signal });
        const request = send('hello', { contextId: 'talk' });
        const answer =
          operation === 'sendMessage'
            ? operations.sendMessage(request, context).then((sent) => [sent])
            : readStream(operations.sendStreamingMessage(request, context)).then(({ events }) => events);
        await expect.poll(async () => (await tasks()).length).toBe(1);
        caller.abort();
        expect(await answer).toMatchObject([{ task: { status: { state: 'TASK_STATE_WORKING' } } }]);
        end();
        await expect
          .poll(tasks)
          .toMatchObject([
            { status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'hi' }] } } },
          ]);
      },
    );

    test('opens its stream at once', async () => {
      const { operations, end } = await startSlowGreeter();
      const stream = await operations.sendStreamingMessage(send('hello'), requestContext());
      end();
      expect(outline((await readStream(stream)).events)).toEqual(['message hi']);
    });

    test('is kept if the stream is closed before it is read on', async () => {
      const { operations, end, tasks } = await startSlowGreeter();
      const stream = await operations.sendStreamingMessage(
        send('hello', { contextId: 'talk' }),
        requestContext(),
      );
      const frames = stream[Symbol.asyncIterator]();
      end();
      expect((await frames.next()).done).toBe(false);
      await frames.return?.();
      expect(await tasks()).toMatchObject([{ status: { state: 'TASK_STATE_COMPLETED' } }]);
    });
  });
});

describe('a send is rejected', () => {
  const config = { id: 'p', taskId: '', url: 'https://example.org/hook' };

  test.each([
    ['to an unknown task', send('x', { taskId: 'unknown' }), { code: 'TASK_NOT_FOUND' }],
    [
      'with content that the agent does not accept',
      send('x', { parts: [{ raw: 'AAAA' }] }),
      { code: 'CONTENT_TYPE_NOT_SUPPORTED' },
    ],
    [
      'that accepts nothing that the agent produces',
      send('x', {}, { configuration: { acceptedOutputModes: ['image/png'] } }),
      { code: 'CONTENT_TYPE_NOT_SUPPORTED' },
    ],
    [
      'that asks for push notifications',
      send('x', {}, { configuration: { taskPushNotificationConfig: config } }),
      { code: 'PUSH_NOTIFICATION_NOT_SUPPORTED' },
    ],
  ])('%s', async (_name, request, refusal) => {
    const { operations } = await startTestOperations(async () => {});
    await expect(operations.sendMessage(request, requestContext())).rejects.toMatchObject(refusal);
    await expect(operations.sendStreamingMessage(request, requestContext())).rejects.toMatchObject(refusal);
    expect((await operations.listTasks({}, requestContext())).totalSize).toBe(0);
  });

  test('to a task that has ended, with what to do instead', async () => {
    const { operations } = await startTestOperations(async () => {});
    const { id } = await sendForTask(operations, 'go');
    await expect(sendForTask(operations, 'again', { taskId: id })).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
      message: expect.stringContaining('without taskId') as string,
    });
  });

  test('with a different context than its task, naming both', async () => {
    const { operations } = await startTestOperations((_turn, sink) => sink.askInput('?'));
    const { id, contextId } = await sendForTask(operations, 'go');
    await expect(sendForTask(operations, 'x', { taskId: id, contextId: 'other' })).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      fields: [{ field: 'message.contextId', description: `expected ${contextId}, found other` }],
    });
  });
});

test('a context may be named by the client and is kept', async () => {
  const { operations } = await startTestOperations(async () => {});
  expect((await sendForTask(operations, 'go', { contextId: 'mine' })).contextId).toBe('mine');
});

describe('a streaming send', () => {
  test('returns the task, then every event as in the journal, to the end', async () => {
    const { engine, operations } = await startTestOperations(async (_turn, sink) => {
      await sink.status('thinking');
      for (let count = 1; count <= 3; count += 1) {
        await sink.artifact({
          artifactId: 'a',
          parts: `${count}`,
          append: count > 1,
          lastChunk: count === 3,
        });
        await sink.flush();
      }
      await sink.complete('done');
    });
    const { events, sequences } = await readStream(
      operations.sendStreamingMessage(send('go'), requestContext()),
    );
    expect(outline(events)).toEqual([
      'submitted',
      'working',
      'working thinking',
      'artifact a 1',
      'artifact+ a 2',
      'artifact+ a 3',
      'completed done',
    ]);
    expect(sequences).toEqual([1, 2, 3, 4, 5, 6, 7]);
    const [first] = events;
    if (first === undefined || !('task' in first)) throw new Error('Expected the task first.');
    expect(first.task).toMatchObject({
      history: [{ parts: [{ text: 'go' }] }],
      metadata: { [RESUME_EXTENSION]: { seq: 1 } },
    });
    expect(events).toEqual(await readJournal(engine.store, first.task.id));
  });

  test('ends when input is required; the stream of the answer starts with the task in its current state', async () => {
    const { operations } = await startTestOperations(async (turn, sink) =>
      turn.task.history?.length === 1 ? sink.askInput('Which?') : sink.complete(),
    );
    const asked = await readStream(operations.sendStreamingMessage(send('go'), requestContext()));
    expect(outline(asked.events)).toEqual(['submitted', 'working', 'input-required Which?']);
    const [first] = asked.events;
    const taskId = first !== undefined && 'task' in first ? first.task.id : '';
    const answered = await readStream(
      operations.sendStreamingMessage(send('this', { taskId }), requestContext()),
    );
    expect(outline(answered.events)).toEqual(['working', 'completed']);
    expect(answered.sequences).toEqual([4, 5]);
    expect(answered.events[0]).toMatchObject({
      task: {
        id: taskId,
        history: [{}, {}, { parts: [{ text: 'this' }] }],
        metadata: { [RESUME_EXTENSION]: { seq: 4 } },
      },
    });
  });

  test('stays open while credentials are required', async () => {
    const { operations } = await startTestOperations(async (turn, sink) =>
      turn.task.history?.length === 1 ? sink.askAuth('Log in.') : sink.complete(),
    );
    const stream = await operations.sendStreamingMessage(send('go'), requestContext());
    const reading = readStream(stream);
    const [task] = await expect
      .poll(
        async () =>
          (await operations.listTasks({ status: 'TASK_STATE_AUTH_REQUIRED' }, requestContext())).tasks,
      )
      .toHaveLength(1)
      .then(async () => (await operations.listTasks({}, requestContext())).tasks);
    await sendForTask(operations, 'done', { taskId: task?.id ?? '' });
    expect(outline((await reading).events)).toEqual([
      'submitted',
      'working',
      'auth-required Log in.',
      'working',
      'completed',
    ]);
  });

  test('of a plain message is only that message, without a cursor', async () => {
    const { operations } = await startTestOperations({
      answersDirectly: () => true,
      execute: (_turn, sink) => sink.message('hi'),
    });
    const { events, sequences } = await readStream(
      operations.sendStreamingMessage(send('hello'), requestContext()),
    );
    expect(outline(events)).toEqual(['message hi']);
    expect(sequences).toEqual([undefined]);
  });

  test('ends when its caller disconnects; the task continues', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const { operations } = await startTestOperations(async () => mayEnd);
    const caller = new AbortController();
    const reading = readStream(
      operations.sendStreamingMessage(send('go'), requestContext({ signal: caller.signal })),
    );
    await expect.poll(async () => (await operations.listTasks({}, requestContext())).totalSize).toBe(1);
    caller.abort();
    await reading;
    end();
    await expect
      .poll(
        async () =>
          (await operations.listTasks({ status: 'TASK_STATE_COMPLETED' }, requestContext())).totalSize,
      )
      .toBe(1);
  });

  test('includes no sequence numbers in its events if includeSequence is off', async () => {
    const { operations } = await startTestOperations((_turn, sink) => sink.askInput('?'), {
      includeSequence: false,
    });
    const first = await readStream(operations.sendStreamingMessage(send('go'), requestContext()));
    expect(first.sequences).toEqual([1, 2, 3]);
    const taskId = (await operations.listTasks({}, requestContext())).tasks[0]?.id ?? '';
    const second = await readStream(operations.sendStreamingMessage(send('x', { taskId }), requestContext()));
    for (const json of [...first.json, ...second.json]) expect(json).not.toContain(RESUME_EXTENSION);
  });
});
