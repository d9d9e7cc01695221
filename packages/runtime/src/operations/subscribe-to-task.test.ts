import { RESUME_EXTENSION, type StreamResponse } from '@holdword/protocol';
import { openMemoryStore } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { describe, expect, test } from 'vitest';
import { outline } from '../engine/testing/read-journal.ts';
import type { Operations } from './operations.ts';
import {
  requestContext,
  readStream,
  send,
  startTestOperations,
  taskIn,
} from './testing/start-test-operations.ts';

const DECLARED = { extensions: new Set([RESUME_EXTENSION]) };

interface RunningTask {
  operations: Operations;
  id: string;
  /** Lets the agent continue with its next step. */
  next: () => void;
}

/**
 * A task whose agent writes two chunks, waits, writes another, waits, and completes. Its journal ends with 4, 5 and 6.
 */
async function startTask(options: Parameters<typeof startTestOperations>[1] = {}): Promise<RunningTask> {
  const steps = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  const { operations } = await startTestOperations(async (_turn, sink) => {
    await sink.artifact({ artifactId: 'a', parts: '1' });
    await sink.artifact({ artifactId: 'a', parts: '2', append: true });
    await steps[0]?.promise;
    await sink.artifact({ artifactId: 'a', parts: '3', append: true });
    await steps[1]?.promise;
    await sink.complete('done');
  }, options);
  const configuration = { returnImmediately: true };
  const { id } = taskIn(await operations.sendMessage(send('go', {}, { configuration }), requestContext()));
  await expect
    .poll(async () => (await operations.getTask({ id }, requestContext())).artifacts?.[0]?.parts)
    .toEqual([{ text: '12' }]);
  const remaining = steps.map(({ resolve }) => resolve);
  return { operations, id, next: () => remaining.shift()?.() };
}

async function endedTask(options: Parameters<typeof startTestOperations>[1] = {}): Promise<RunningTask> {
  const task = await startTask(options);
  task.next();
  task.next();
  await expect
    .poll(async () => (await task.operations.getTask({ id: task.id }, requestContext())).status.state)
    .toBe('TASK_STATE_COMPLETED');
  return task;
}

function sequenceMark(event: StreamResponse | undefined): unknown {
  return event !== undefined && 'task' in event ? event.task.metadata?.[RESUME_EXTENSION] : undefined;
}

describe('without a cursor', () => {
  test('the task in its current state comes first, then its events to the end', async () => {
    const { operations, id, next } = await startTask();
    const reading = readStream(await operations.subscribeToTask({ id }, requestContext()));
    next();
    next();
    const { events, sequences } = await reading;
    expect(outline(events)).toEqual(['working', 'artifact+ a 3', 'completed done']);
    expect(sequences).toEqual([4, 5, 6]);
    expect(events[0]).toMatchObject({
      task: { artifacts: [{ parts: [{ text: '12' }] }], history: [{}] },
    });
    expect(sequenceMark(events[0])).toEqual({ seq: 4 });
  });

  test('a question does not end it', async () => {
    const { operations } = await startTestOperations(async (turn, sink) =>
      turn.task.history?.length === 1 ? sink.askInput('?') : sink.complete(),
    );
    const { id } = taskIn(await operations.sendMessage(send('go'), requestContext()));
    const reading = readStream(await operations.subscribeToTask({ id }, requestContext()));
    await operations.sendMessage(send('x', { taskId: id }), requestContext());
    expect(outline((await reading).events)).toEqual(['input-required ?', 'working', 'completed']);
  });

  test('a task that has ended is rejected for plain clients, and returned to those that declare the extension', async () => {
    const { operations, id } = await endedTask();
    await expect(operations.subscribeToTask({ id }, requestContext())).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
      message: expect.stringContaining(RESUME_EXTENSION) as string,
    });
    const { events, sequences } = await readStream(
      operations.subscribeToTask({ id }, requestContext(DECLARED)),
    );
    expect(outline(events)).toEqual(['completed done']);
    expect(sequences).toEqual([6]);
  });

  test('it ends when its caller disconnects', async () => {
    const { operations, id, next } = await startTask();
    const caller = new AbortController();
    const reading = readStream(
      await operations.subscribeToTask({ id }, requestContext({ signal: caller.signal })),
    );
    caller.abort();
    expect((await reading).sequences.length).toBeLessThanOrEqual(1);
    next();
    next();
  });
});

describe('with a cursor', () => {
  test('returns the task as of the cursor, exactly the missed events, then new ones', async () => {
    const { operations, id, next } = await startTask();
    const reading = readStream(await operations.subscribeToTask({ id }, requestContext({ resumeAfter: 3 })));
    next();
    next();
    const { events, sequences } = await reading;
    expect(outline(events)).toEqual(['working', 'artifact+ a 2', 'artifact+ a 3', 'completed done']);
    expect(sequences).toEqual([3, 4, 5, 6]);
    expect(sequenceMark(events[0])).toEqual({ seq: 3, partial: true });
    expect(events[0]).not.toMatchObject({ task: { artifacts: expect.anything() } });
  });

  test('replays an ended task from any position, byte for byte', async () => {
    const { operations, id } = await endedTask();
    const whole = await readStream(
      operations.subscribeToTask({ id }, requestContext({ ...DECLARED, resumeAfter: 0 })),
    );
    expect(whole.sequences).toEqual([1, 2, 3, 4, 5, 6]);
    for (let position = 1; position <= 6; position += 1) {
      const context = requestContext({ ...DECLARED, resumeAfter: position });
      const { json, sequences, events } = await readStream(operations.subscribeToTask({ id }, context));
      expect(json.slice(1)).toEqual(whole.json.slice(position));
      expect(sequences[0]).toBe(position);
      const [state] = outline(events);
      expect(state).toBe(position === 6 ? 'completed done' : position === 1 ? 'submitted' : 'working');
    }
  });

  test('a position beyond the last event is rejected with the valid range', async () => {
    const { operations, id, next } = await startTask();
    await expect(
      operations.subscribeToTask({ id }, requestContext({ resumeAfter: 5 })),
    ).rejects.toMatchObject({
      code: 'INVALID_PARAMS',
      fields: [{ field: 'Last-Event-ID', description: 'expected 0 to 4, found 5' }],
    });
    next();
    next();
  });

  test('a plain client cannot resume a task that has ended', async () => {
    const { operations, id } = await endedTask();
    await expect(
      operations.subscribeToTask({ id }, requestContext({ resumeAfter: 2 })),
    ).rejects.toMatchObject({
      code: 'UNSUPPORTED_OPERATION',
    });
  });

  test.each([true, false])(
    'names the events that were removed, and returns the whole task (ended: %s)',
    async (ended) => {
      const memory = openMemoryStore();
      let firstSequence = 1;
      const store = overrideStore(memory, {
        readTask: async (taskId) => {
          const header = await memory.readTask(taskId);
          return header && { ...header, firstSequence };
        },
      });
      const { operations, id, next } = await (ended ? endedTask({ store }) : startTask({ store }));
      firstSequence = 4;
      const reading = readStream(
        await operations.subscribeToTask({ id }, requestContext({ ...DECLARED, resumeAfter: 1 })),
      );
      next();
      next();
      const { events, sequences } = await reading;
      expect(sequences).toEqual(ended ? [6] : [4, 5, 6]);
      expect(sequenceMark(events[0])).toEqual({ seq: ended ? 6 : 4, gap: { from: 2, to: 3 } });
      expect(events[0]).toMatchObject({
        task: { artifacts: [{ artifactId: 'a' }], history: expect.any(Array) as unknown },
      });
      const exact = await readStream(
        operations.subscribeToTask({ id }, requestContext({ ...DECLARED, resumeAfter: 3 })),
      );
      expect(exact.sequences).toEqual([3, 4, 5, 6]);
    },
  );

  test('a gap is reported even if events include no sequence numbers', async () => {
    const memory = openMemoryStore();
    const store = overrideStore(memory, {
      readTask: async (taskId) => {
        const header = await memory.readTask(taskId);
        return header && { ...header, firstSequence: 3 };
      },
    });
    const { operations, id } = await endedTask({ store, includeSequence: false });
    const { events } = await readStream(
      operations.subscribeToTask({ id }, requestContext({ ...DECLARED, resumeAfter: 0 })),
    );
    expect(sequenceMark(events[0])).toEqual({ seq: 6, gap: { from: 1, to: 2 } });
  });
});

test('many streams interrupted at random and resumed by cursor equal one uninterrupted stream', async () => {
  const { operations } = await startTestOperations(async (_turn, sink) => {
    for (let count = 1; count <= 50; count += 1) {
      await sink.artifact({ artifactId: 'a', parts: `${count}`, append: count > 1 });
      if (Math.random() < 0.3) await sink.flush();
    }
  });
  const configuration = { returnImmediately: true };
  const { id } = taskIn(await operations.sendMessage(send('go', {}, { configuration }), requestContext()));
  const cutStream = async (): Promise<string[]> => {
    const lines: string[] = [];
    while (lines.length < 53) {
      const context = requestContext({ ...DECLARED, resumeAfter: lines.length });
      let left = Math.ceil(Math.random() * 20);
      for await (const batch of await operations.subscribeToTask({ id }, context)) {
        const events = batch.filter(({ sequence }) => (sequence ?? 0) > lines.length).slice(0, left);
        lines.push(...events.map(({ json }) => json));
        left -= events.length;
        if (left <= 0) break;
      }
    }
    return lines;
  };
  const cut = await Promise.all(Array.from({ length: 30 }, cutStream));
  const whole = await readStream(
    operations.subscribeToTask({ id }, requestContext({ ...DECLARED, resumeAfter: 0 })),
  );
  expect(whole.json).toHaveLength(53);
  for (const lines of cut) expect(lines).toEqual(whole.json);
});
