import { RESUME_EXTENSION, type TaskState } from '@holdword/protocol';
import { openMemoryStore, StoreError, type JournalAppend, type Store } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { JournalEvent } from './event-codec.ts';
import { JournalWriter, type TaskCreation, type WrittenEvent } from './journal-writer.ts';
import { IdempotencyKeyTaken } from './turn-errors.ts';
import { gateCommits } from './testing/gate-commits.ts';

interface TestWriter {
  writer: JournalWriter;
  committed: WrittenEvent[];
  lost: unknown[];
}

const CREATION: TaskCreation = { contextId: 'c', owner: 'me', holder: 'here' };

function openWriter(
  store: Store,
  options: {
    taskId?: string;
    includeSequence?: boolean;
    start?: TaskCreation | { fence: number; lastSequence: number };
  } = {},
): TestWriter {
  const committed: WrittenEvent[] = [];
  const lost: unknown[] = [];
  const { taskId = 't', includeSequence = true, start = CREATION } = options;
  const writer = new JournalWriter({
    store,
    taskId,
    includeSequence,
    start,
    onCommitted: (events) => committed.push(...events),
    onLost: (error) => lost.push(error),
  });
  return { writer, committed, lost };
}

function created(taskId = 't'): JournalEvent {
  return { task: { id: taskId, contextId: 'c', status: { state: 'TASK_STATE_SUBMITTED' } } };
}

function status(state: TaskState): JournalEvent {
  return { statusUpdate: { taskId: 't', contextId: 'c', status: { state } } };
}

function chunk(text: string): JournalEvent {
  return {
    artifactUpdate: { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts: [{ text }] } },
  };
}

describe('order', () => {
  test('numbers events from 1 without gaps, and includes the numbers (J2)', async () => {
    const store = openMemoryStore();
    const { writer, committed } = openWriter(store);
    writer.write(created());
    for (let count = 2; count <= 20; count += 1) {
      writer.write(chunk(`${count}`));
      if (count % 5 === 0) await writer.flushed();
    }
    await writer.flushed();
    const events = await store.readEvents('t', 0, 100);
    expect(events.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: 20 }, (_, index) => index + 1),
    );
    expect(committed.map(({ entry }) => entry.json)).toEqual(events.map(({ json }) => json));
    for (const { sequence, json } of events) {
      expect(json).toContain(JSON.stringify({ [RESUME_EXTENSION]: { seq: sequence } }).slice(1, -1));
    }
  });

  test('leaves events unchanged if includeSequence is off', async () => {
    const store = openMemoryStore();
    const { writer } = openWriter(store, { includeSequence: false });
    writer.write(created());
    await writer.flushed();
    expect((await store.readEvents('t', 0, 1))[0]?.json).toBe(JSON.stringify(created()));
  });

  test('keeps one append in flight and sends what was written meanwhile together (J4)', async () => {
    const gate = gateCommits(openMemoryStore());
    const appends: JournalAppend[] = [];
    const { writer, committed } = openWriter(
      overrideStore(gate.store, {
        append: (append) => {
          appends.push(append);
          return gate.store.append(append);
        },
      }),
    );
    writer.write(created());
    await gate.release();
    await writer.flushed();
    writer.write(chunk('1'));
    await expect.poll(() => gate.held).toBe(1);
    for (const text of ['2', '3', '4']) writer.write(chunk(text));
    await new Promise(setImmediate);
    expect(appends.map(({ entries }) => entries.length)).toEqual([1]);
    expect(committed).toHaveLength(1);
    await gate.release();
    await gate.release();
    await writer.flushed();
    expect(appends.map(({ entries, firstSequence }) => [firstSequence, entries.length])).toEqual([
      [2, 1],
      [3, 3],
    ]);
  });

  test('gives the store the last status of a batch, and releases the lease', async () => {
    const store = openMemoryStore();
    const { writer } = openWriter(store);
    writer.write(created());
    writer.write(status('TASK_STATE_WORKING'));
    await writer.flushed();
    expect(await store.readTask('t')).toMatchObject({ state: 'TASK_STATE_WORKING', lastSequence: 2 });
    await store.heartbeat('here', 60_000);
    expect(await store.acquireLease('t', 'there')).toBeUndefined();
    writer.write(status('TASK_STATE_COMPLETED'), { releaseLease: true });
    await writer.flushed();
    expect(await store.readTask('t')).toMatchObject({ state: 'TASK_STATE_COMPLETED', lastSequence: 3 });
    expect(await store.acquireLease('t', 'there')).toBe(2);
  });

  test('an event that cannot be encoded as JSON is rejected and leaves no gap', async () => {
    const store = openMemoryStore();
    const { writer } = openWriter(store);
    writer.write(created());
    const cyclic: Record<string, unknown> = {};
    cyclic['self'] = cyclic;
    expect(() => {
      writer.write({
        statusUpdate: {
          taskId: 't',
          contextId: 'c',
          status: { state: 'TASK_STATE_FAILED' },
          metadata: cyclic,
        },
      });
    }).toThrow(TypeError);
    writer.write(chunk('next'));
    await writer.flushed();
    expect(await store.readTask('t')).toMatchObject({ state: 'TASK_STATE_SUBMITTED', lastSequence: 2 });
  });
});

test('more can be written without waiting until the disk falls behind, by events or by bytes', async () => {
  for (const [count, text] of [
    [512, 'x'],
    [1, 'x'.repeat(1024 * 1024)],
  ] as const) {
    const gate = gateCommits(openMemoryStore());
    const { writer } = openWriter(gate.store);
    writer.write(created());
    await writer.room();
    await expect.poll(() => gate.held).toBe(1);
    for (let written = 0; written < count; written += 1) writer.write(chunk(text));
    let hasRoom = false;
    const room = writer.room().then(() => (hasRoom = true));
    await gate.release();
    await new Promise(setImmediate);
    expect(hasRoom).toBe(false);
    gate.open();
    await room;
    await writer.room();
  }
});

describe('failures', () => {
  test('a stale fence loses the task: waiters are told, later writes go nowhere (J3)', async () => {
    const store = openMemoryStore();
    const first = openWriter(store);
    first.writer.write(created());
    await first.writer.flushed();
    const fence = await store.acquireLease('t', 'there');
    first.writer.write(chunk('too late'));
    await expect(first.writer.flushed()).rejects.toMatchObject({ code: 'stale-fence' });
    expect(first.lost).toHaveLength(1);
    first.writer.write(chunk('later still'));
    await expect(first.writer.room()).rejects.toMatchObject({ code: 'stale-fence' });
    await expect(first.writer.flushed()).rejects.toMatchObject({ code: 'stale-fence' });
    const second = openWriter(store, { start: { fence: fence as number, lastSequence: 1 } });
    second.writer.write(chunk('mine'));
    await second.writer.flushed();
    expect((await store.readEvents('t', 0, 10)).map(({ json }) => json.includes('too late'))).toEqual([
      false,
      false,
    ]);
  });

  test('the same commit is retried when the store is briefly unavailable', async () => {
    const store = openMemoryStore();
    let failures = 0;
    const failing = overrideStore(store, {
      append: async (append) => {
        if (failures < 2) {
          failures += 1;
          throw new StoreError('unavailable', 'The disk is full.');
        }
        return store.append(append);
      },
    });
    const { writer, committed, lost } = openWriter(failing);
    writer.write(created());
    await writer.flushed();
    writer.write(chunk('1'));
    await writer.flushed();
    expect(failures).toBe(2);
    expect(lost).toEqual([]);
    expect(committed.map(({ sequence }) => sequence)).toEqual([1, 2]);
  });

  describe('on a full disk', () => {
    const full = new StoreError('unavailable', 'The disk is full.', { isDiskFull: true });

    function openOnFullDisk() {
      const memory = openMemoryStore();
      const disk = { isFull: true };
      const unlessFull = async <T>(write: () => Promise<T>): Promise<T> => {
        if (disk.isFull) throw full;
        return write();
      };
      const store = overrideStore(memory, {
        createTask: (task) => unlessFull(() => memory.createTask(task)),
        append: (append) => unlessFull(() => memory.append(append)),
      });
      return { disk, ...openWriter(store) };
    }

    test('a new message is given up within a second or so', async () => {
      const { writer, lost } = openOnFullDisk();
      const startedAt = performance.now();
      writer.write(created());
      await expect(writer.flushed()).rejects.toBe(full);
      expect(performance.now() - startedAt).toBeLessThan(5_000);
      expect(lost).toEqual([full]);
    });

    test('what an agent writes is retried for longer, also if the clock is set forward', async () => {
      const { disk, writer, lost } = openOnFullDisk();
      disk.isFull = false;
      writer.write(created());
      await writer.flushed();
      disk.isFull = true;
      writer.write(chunk('answer'));
      const written = writer.flushed();
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3_600_000 });
      onTestFinished(() => void vi.useRealTimers());
      await pause(1_500);
      disk.isFull = false;
      await written;
      expect(lost).toEqual([]);
    });
  });

  test('any other failure is final', async () => {
    const store = openMemoryStore();
    const { writer, lost } = openWriter(store);
    writer.write(created());
    await writer.flushed();
    await store.close();
    writer.write(chunk('1'));
    await expect(writer.flushed()).rejects.toMatchObject({ code: 'closed' });
    expect(lost).toHaveLength(1);
  });

  test('a commit listener that throws loses the task instead of leaving it waiting', async () => {
    const lost: unknown[] = [];
    const writer = new JournalWriter({
      store: openMemoryStore(),
      taskId: 't',
      includeSequence: true,
      start: CREATION,
      onCommitted: () => {
        throw new Error('cannot fold');
      },
      onLost: (error) => lost.push(error),
    });
    writer.write(created());
    await expect(writer.flushed()).rejects.toThrow('cannot fold');
    expect(lost).toHaveLength(1);
  });

  test('an idempotency key in use names its task (J8)', async () => {
    const store = openMemoryStore();
    const start = { ...CREATION, idempotency: { key: 'k', payloadHash: 'h' } };
    const first = openWriter(store, { taskId: 'first', start });
    const second = openWriter(store, { taskId: 'second', start });
    first.writer.write(created('first'));
    second.writer.write(created('second'));
    await first.writer.flushed();
    const refused = await second.writer.flushed().catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(IdempotencyKeyTaken);
    expect(refused).toMatchObject({ taskId: 'first', payloadHash: 'h' });
    expect(await store.readTask('second')).toBeUndefined();
  });
});

test('releases the lease itself only if no commit did', async () => {
  const released: number[] = [];
  const memory = openMemoryStore();
  const store = overrideStore(memory, {
    releaseLease: async (taskId, fence) => {
      released.push(fence);
      return memory.releaseLease(taskId, fence);
    },
  });
  const { writer } = openWriter(store);
  await writer.releaseLease();
  writer.write(created());
  await writer.flushed();
  await writer.releaseLease();
  await writer.releaseLease();
  expect(released).toEqual([1]);
});
