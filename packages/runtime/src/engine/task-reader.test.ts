import { isTerminal } from '@holdword/protocol';
import { openMemoryStore, type Store } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { describe, expect, test } from 'vitest';
import { noopLog } from '../log.ts';
import { CommitHints } from './commit-hints.ts';
import type { LiveTask, StreamFrame } from './live-task.ts';
import { LiveTasks } from './live-tasks.ts';
import { TaskReader } from './task-reader.ts';
import { gateCommits } from './testing/gate-commits.ts';
import { randomTicks } from './testing/random-ticks.ts';
import { headerOf, patient, userMessage } from './testing/start-test-engine.ts';

interface Process {
  reader: TaskReader;
  liveTasks: LiveTasks;
  hints: CommitHints;
}

function processOn(store: Store, holder = 'here'): Process {
  const liveTasks = new LiveTasks({ store, log: noopLog, includeSequence: true }, holder);
  const hints = new CommitHints(store);
  return { liveTasks, hints, reader: new TaskReader(store, liveTasks, hints) };
}

async function beginTask(liveTasks: LiveTasks, taskId = 't'): Promise<LiveTask> {
  const live = liveTasks.begin(taskId, { contextId: 'c', owner: 'me' });
  live.writeCreated({
    id: taskId,
    contextId: 'c',
    status: { state: 'TASK_STATE_WORKING' },
    history: [userMessage('hello')],
  });
  await live.flushed();
  return live;
}

function writeChunk(live: LiveTask, text: string): void {
  live.writeArtifact({ artifact: { artifactId: 'a', parts: [{ text }] }, append: true });
}

/** Everything that a reader gets until the stream ends. */
async function readAll(frames: AsyncIterable<readonly StreamFrame[]>): Promise<string[]> {
  const lines: string[] = [];
  for await (const batch of frames) lines.push(...batch.map(({ sequence, json }) => `${sequence} ${json}`));
  return lines;
}

async function journalLines(store: Store, taskId = 't'): Promise<string[]> {
  return (await store.readEvents(taskId, 0, 100_000)).map(({ sequence, json }) => `${sequence} ${json}`);
}

describe('the current task', () => {
  test('is the same from memory and from the store, and belongs only to its owner (J9)', async () => {
    const store = openMemoryStore();
    const here = processOn(store);
    const there = processOn(store, 'there');
    const live = await beginTask(here.liveTasks);
    writeChunk(live, '1');
    await live.flushed();
    const fromMemory = await here.reader.current('t');
    expect(fromMemory).toMatchObject({ sequence: 2, task: { artifacts: [{ parts: [{ text: '1' }] }] } });
    expect(await there.reader.current('t')).toEqual(fromMemory);
    expect(await here.reader.current('t', 0)).toEqual(await there.reader.current('t', 0));
    expect(await here.reader.current('unknown')).toBeUndefined();
    expect(await here.reader.header('me', 't')).toMatchObject({ taskId: 't' });
    expect(await here.reader.header('you', 't')).toBeUndefined();
  });

  test('is read without a scan if the reader knows the last sequence number', async () => {
    const memory = openMemoryStore();
    const live = await beginTask(processOn(memory).liveTasks);
    writeChunk(live, '1');
    await live.flushed();
    let reads = 0;
    const store = overrideStore(memory, {
      readEvents: (...asked) => {
        reads += 1;
        return memory.readEvents(...asked);
      },
    });
    const { reader } = processOn(store, 'there');
    expect(await reader.current('t', undefined, 2)).toMatchObject({ sequence: 2 });
    expect(reads).toBe(1);
    expect(await reader.current('t', undefined, 3)).toBeUndefined();
    expect(reads).toBe(3);
  });

  test('is loaded from its snapshot and the events after it', async () => {
    const store = openMemoryStore();
    const { liveTasks, reader } = processOn(store);
    const live = await beginTask(liveTasks);
    for (let count = 0; count < 40; count += 1) {
      writeChunk(live, `${count}`.padEnd(10_000, 'x'));
      await live.flushed();
    }
    const fromMemory = await reader.current('t');
    expect((await store.readSnapshot('t'))?.sequence).toBeGreaterThan(1);
    liveTasks.close(live);
    expect(await reader.current('t')).toEqual(fromMemory);
  });
});

describe('following', () => {
  test('gives every reader the same events, from memory and from the store, from any cursor (J2, J5)', async () => {
    const store = openMemoryStore();
    const here = processOn(store);
    const there = processOn(store, 'there');
    const live = await beginTask(here.liveTasks);
    const readings = [here, there].flatMap(({ reader }) =>
      [0, 1, 5].map((after) => readAll(reader.follow('t', after, isTerminal, patient))),
    );
    for (let count = 0; count < 20; count += 1) {
      writeChunk(live, `${count}`);
      if (count % 3 === 0) await live.flushed();
    }
    live.writeStatus('TASK_STATE_COMPLETED');
    const all = await Promise.all(readings);
    const journal = await journalLines(store);
    expect(journal).toHaveLength(22);
    expect(all).toEqual([0, 1, 5, 0, 1, 5].map((after) => journal.slice(after)));
  });

  test('shows nothing before its commit (J1)', async () => {
    const gate = gateCommits(openMemoryStore());
    const { liveTasks, reader } = processOn(gate.store);
    gate.open();
    const live = await beginTask(liveTasks);
    gate.close();
    const frames = reader.follow('t', 1, isTerminal, patient);
    let seen = 0;
    const next = frames.next().then(() => (seen += 1));
    writeChunk(live, '1');
    await expect.poll(() => gate.held).toBe(1);
    expect(seen).toBe(0);
    await gate.release();
    await next;
    await frames.return();
  });

  test('ends at the requested state, not before and not after', async () => {
    const store = openMemoryStore();
    const { liveTasks, reader } = processOn(store);
    const live = await beginTask(liveTasks);
    live.writeStatus('TASK_STATE_INPUT_REQUIRED');
    live.writeStatus('TASK_STATE_WORKING');
    live.writeStatus('TASK_STATE_COMPLETED');
    writeChunk(live, 'late');
    await live.flushed();
    const journal = await journalLines(store);
    const follow = (endsAt: (state: string) => boolean): Promise<string[]> =>
      readAll(reader.follow('t', 0, endsAt, patient));
    expect(await follow(isTerminal as (state: string) => boolean)).toEqual(journal.slice(0, 4));
    expect(await follow((state) => state === 'TASK_STATE_INPUT_REQUIRED')).toEqual(journal.slice(0, 2));
    liveTasks.close(live);
    expect(await follow(isTerminal as (state: string) => boolean)).toEqual(journal.slice(0, 4));
    expect(await readAll(reader.replay('t', 0, 5, patient))).toEqual(journal);
    expect(await readAll(reader.replay('t', 2, 4, patient))).toEqual(journal.slice(2, 4));
  });

  test('a slow reader falls behind the window in memory and misses nothing', async () => {
    const store = openMemoryStore();
    const { liveTasks, reader } = processOn(store);
    const live = await beginTask(liveTasks);
    const frames = reader.follow('t', 0, isTerminal, patient);
    const lines: string[] = [];
    const take = async (): Promise<boolean> => {
      const { value, done } = await frames.next();
      for (const { sequence, json } of value ?? []) lines.push(`${sequence} ${json}`);
      return done !== true;
    };
    await take();
    for (let count = 0; count < 5_000; count += 1) {
      writeChunk(live, `${count}`);
      if (count % 500 === 0) await live.flushed();
    }
    await live.flushed();
    expect(live.framesAfter(1)).toBeUndefined();
    await take();
    live.writeStatus('TASK_STATE_COMPLETED');
    while (await take());
    expect(lines).toEqual(await journalLines(store));
  });

  test('continues when the task is disposed of, opened again, and taken over by another process', async () => {
    const store = openMemoryStore();
    const here = processOn(store);
    const there = processOn(store, 'there');
    const live = await beginTask(here.liveTasks);
    const reading = readAll(here.reader.follow('t', 0, isTerminal, patient));
    writeChunk(live, 'first life');
    live.writeStatus('TASK_STATE_INPUT_REQUIRED', undefined, { releaseLease: true });
    await live.flushed();
    here.liveTasks.close(live);

    const again = await here.liveTasks.open(await headerOf(store, 't'));
    again.writeStatus('TASK_STATE_WORKING');
    writeChunk(again, 'second life');
    await again.flushed();
    here.liveTasks.close(again);

    const elsewhere = await there.liveTasks.open(await headerOf(store, 't'));
    writeChunk(elsewhere, 'elsewhere');
    await elsewhere.flushed();
    elsewhere.writeStatus('TASK_STATE_COMPLETED');
    expect(await reading).toEqual(await journalLines(store));
  });

  test('continues from the store when this process lost the task', async () => {
    const store = openMemoryStore();
    const here = processOn(store);
    const there = processOn(store, 'there');
    const live = await beginTask(here.liveTasks);
    const reading = readAll(here.reader.follow('t', 0, isTerminal, patient));
    const elsewhere = await there.liveTasks.open(await headerOf(store, 't'));
    writeChunk(live, 'refused');
    await expect(live.flushed()).rejects.toMatchObject({ code: 'stale-fence' });
    writeChunk(elsewhere, 'taken over');
    elsewhere.writeStatus('TASK_STATE_COMPLETED');
    expect(await reading).toEqual(await journalLines(store));
    expect(await here.reader.current('t')).toMatchObject({
      task: { status: { state: 'TASK_STATE_COMPLETED' } },
    });
  });

  test('ends when its reader disconnects or the engine stops, and leaves nothing behind', async () => {
    for (const isLive of [true, false]) {
      const store = openMemoryStore();
      const { liveTasks, reader, hints } = processOn(store);
      const live = await beginTask(liveTasks);
      if (!isLive) liveTasks.close(live);
      const gone = new AbortController();
      const reading = readAll(reader.follow('t', 0, isTerminal, gone.signal));
      const stopped = readAll(reader.follow('t', 0, isTerminal, patient));
      const left = reader.follow('t', 0, isTerminal, patient);
      await left.next();
      await left.return();
      gone.abort();
      expect(await reading).toHaveLength(1);
      if (isLive) liveTasks.close(live);
      hints.close();
      expect(await stopped).toHaveLength(1);
      expect(hints.size).toBe(0);
    }
  });

  test('ends when the task is deleted before its last events are read', async () => {
    const store = openMemoryStore();
    const { liveTasks, reader, hints } = processOn(store);
    const live = await beginTask(liveTasks);
    const slow = reader.follow('t', 0, isTerminal, patient);
    expect((await slow.next()).value).toHaveLength(1);
    live.writeStatus('TASK_STATE_COMPLETED', undefined, { releaseLease: true });
    await live.flushed();
    liveTasks.close(live);
    await store.retention?.deleteTask('t');
    expect(await slow.next()).toEqual({ done: true, value: undefined });
    expect(hints.size).toBe(0);
  });

  test('ends when the engine stops during a read from the store', async () => {
    const memory = openMemoryStore();
    const { promise: mayRead, resolve: read } = Promise.withResolvers<void>();
    const looked = Promise.withResolvers<void>();
    const store = overrideStore(memory, {
      readEvents: async (taskId, after, limit) => {
        looked.resolve();
        await mayRead;
        return memory.readEvents(taskId, after, limit);
      },
    });
    const { liveTasks, reader, hints } = processOn(store);
    liveTasks.close(await beginTask(liveTasks));
    const reading = readAll(reader.follow('t', 1, isTerminal, patient));
    await looked.promise;
    hints.close();
    read();
    expect(await reading).toEqual([]);
  });

  test('misses no wake-up, whatever the order of writing, committing, disposing and reading', async () => {
    const rounds = 60;
    for (let round = 0; round < rounds; round += 1) {
      const memory = openMemoryStore();
      const store = overrideStore(memory, {
        append: async (append) => {
          await randomTicks(2);
          await memory.append(append);
          await randomTicks(2);
        },
        readEvents: async (taskId, after, limit) => {
          await randomTicks(2);
          const events = await memory.readEvents(taskId, after, limit);
          await randomTicks(2);
          return events;
        },
      });
      const here = processOn(store);
      const there = processOn(store, 'there');
      let live = await beginTask(here.liveTasks);
      const readings = Array.from({ length: 6 }, async (_, index) => {
        await randomTicks(2);
        const { reader } = index % 2 === 0 ? here : there;
        return readAll(reader.follow('t', 0, isTerminal, patient));
      });
      for (let step = 0; step < 15; step += 1) {
        const choice = Math.random();
        if (choice < 0.6) writeChunk(live, `${step}`);
        else if (choice < 0.8) await live.flushed();
        else {
          await live.flushed();
          here.liveTasks.close(live);
          await randomTicks(2);
          live = await here.liveTasks.open(await headerOf(store, 't'));
        }
        await randomTicks(2);
      }
      live.writeStatus('TASK_STATE_COMPLETED');
      await live.flushed();
      if (Math.random() < 0.5) here.liveTasks.close(live);
      const journal = await journalLines(memory);
      for (const lines of await Promise.all(readings)) expect(lines).toEqual(journal);
      expect([here.hints.size, there.hints.size]).toEqual([0, 0]);
    }
  });
});

describe('waiting for the outcome', () => {
  test('of a task that runs in another process ends with its commit', async () => {
    const store = openMemoryStore();
    const here = processOn(store);
    const there = processOn(store, 'there');
    const live = await beginTask(here.liveTasks);
    const waiting = there.reader.settled('t', patient);
    writeChunk(live, '1');
    await live.flushed();
    live.writeStatus('TASK_STATE_INPUT_REQUIRED');
    await waiting;
    await there.reader.settled('t', patient);
    await there.reader.settled('unknown', patient);
    expect(there.hints.size).toBe(0);
  });

  test('ends when the caller disconnects', async () => {
    const store = openMemoryStore();
    const here = processOn(store);
    const there = processOn(store, 'there');
    await beginTask(here.liveTasks);
    const gone = new AbortController();
    const waiting = Promise.all([
      here.reader.settled('t', gone.signal),
      there.reader.settled('t', gone.signal),
    ]);
    gone.abort();
    await waiting;
  });
});
