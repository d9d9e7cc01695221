import { RESUME_EXTENSION } from '@holdword/protocol';
import { describe, expect, test } from 'vitest';
import { outline, readJournal } from '../engine/testing/read-journal.ts';
import {
  requestContext,
  readStream,
  send,
  sendForTask,
  startTestOperations,
} from './testing/start-test-operations.ts';

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
