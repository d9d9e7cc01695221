import { isTerminal } from '@holdword/protocol';
import { openMemoryStore } from '@holdword/store';
import { expect, test } from 'vitest';
import type { Turn } from '../executors/executor.ts';
import { journalOutline } from './testing/read-journal.ts';
import { beginTask, headerOf, patient, startTestEngine, turnInput } from './testing/start-test-engine.ts';

/** Two engines on one store look like two processes to it: each has its own holder. */
test('a task is canceled from another process, and the process that runs it is told', async () => {
  const store = openMemoryStore();
  const { promise: aborted, resolve } = Promise.withResolvers<unknown>();
  const runner = await startTestEngine(
    (turn: Turn) =>
      new Promise<void>((done) => {
        turn.signal.addEventListener('abort', () => {
          resolve(turn.signal.reason);
          done();
        });
      }),
    { store },
  );
  const other = await startTestEngine(async () => {}, { store });
  const taskId = await beginTask(runner, 'work');

  const waiting = runner.reader.settled(taskId, patient);
  const { task: cancelled } = await other.cancel(await headerOf(store, taskId));
  expect(cancelled.status.state).toBe('TASK_STATE_CANCELED');
  expect(await aborted).toMatchObject({ reason: 'lost' });
  await waiting;
  const seen = await runner.reader.current(taskId);
  expect(seen?.task.status.state).toBe('TASK_STATE_CANCELED');
});

test('a reader in another process follows a task to its end', async () => {
  const store = openMemoryStore();
  const { promise: goOn, resolve } = Promise.withResolvers<void>();
  const runner = await startTestEngine(
    async (_turn, sink) => {
      await sink.artifact({ parts: 'first' });
      await goOn;
      await sink.artifact({ parts: 'second' });
    },
    { store },
  );
  const other = await startTestEngine(async () => {}, { store });
  const taskId = await beginTask(runner, 'work');

  const sequences: (number | undefined)[] = [];
  for await (const frames of other.reader.follow(taskId, 0, isTerminal, patient)) {
    sequences.push(...frames.map(({ sequence }) => sequence));
    resolve();
  }
  expect(sequences).toEqual([1, 2, 3, 4, 5]);
});

test('a message to a task that another process runs waits until its turn has ended there (J10)', async () => {
  const store = openMemoryStore();
  const { promise: goOn, resolve } = Promise.withResolvers<void>();
  const runner = await startTestEngine(
    async (_turn, sink) => {
      await goOn;
      await sink.askInput('which one?');
    },
    { store },
  );
  const other = await startTestEngine((turn, sink) => sink.complete(turn.message.parts), { store });
  const taskId = await beginTask(runner, 'work');
  const answered = other.turns.continue(await headerOf(store, taskId), turnInput('this one'));
  resolve();
  await answered;
  await other.reader.settled(taskId, patient);
  expect(await journalOutline(store, taskId)).toEqual([
    'submitted',
    'working',
    'input-required which one?',
    'working',
    'completed this one',
  ]);
});
