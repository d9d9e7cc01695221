import { isInterrupted, isTerminal, type StreamResponse } from '@holdword/protocol';
import { openMemoryStore, StoreError, type Store } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { expect, test } from 'vitest';
import type { Executor } from '../executors/executor.ts';
import { RetryableError, TerminalError } from '../executors/executor-errors.ts';
import type { Engine } from './engine.ts';
import { randomTicks } from './testing/random-ticks.ts';
import { readJournal } from './testing/read-journal.ts';
import { beginTask, headerOf, patient, startTestEngine, turnInput } from './testing/start-test-engine.ts';

const LIVES = 8;
const CLIENTS = 12;

/** An agent that does anything an agent may do, and some things it may not. */
const unpredictable: Executor = {
  async execute(turn, sink) {
    for (let step = 0; step < 6; step += 1) {
      await randomTicks(3);
      const choice = Math.random();
      if (choice < 0.4) void sink.artifact({ artifactId: `a${step % 2}`, parts: `${step}`, append: true });
      else if (choice < 0.6) await sink.status(`step ${step}`);
      else if (choice < 0.65) return sink.askInput('more?');
      else if (choice < 0.7) return sink.complete('done');
      else if (choice < 0.75) throw new TerminalError('cannot');
      else if (choice < 0.8) throw new Error('unexpected');
      else if (choice < 0.85) throw new RetryableError('again', { retryAfterMilliseconds: 1 });
      else if (choice < 0.9) return;
      else if (choice < 0.95) {
        await new Promise<void>((_, reject) => {
          const stop = (): void => reject(turn.signal.reason as Error);
          if (turn.signal.aborted) stop();
          else turn.signal.addEventListener('abort', stop, { once: true });
        });
      }
    }
  },
};

function perhapsFail(): void {
  if (Math.random() < 0.01) throw new StoreError('unavailable', 'Not now.');
}

/** A store that is unavailable now and then. */
function moody(store: Store): Store {
  return overrideStore(store, {
    append: async (append) => {
      await randomTicks(1);
      perhapsFail();
      return store.append(append);
    },
    releaseLease: async (taskId, fence) => {
      perhapsFail();
      return store.releaseLease(taskId, fence);
    },
  });
}

/** Starts, continues and cancels tasks until the server rejects it. */
async function busyClient(engine: Engine, taskIds: string[]): Promise<void> {
  for (;;) {
    await randomTicks(4);
    const known = taskIds[Math.floor(Math.random() * taskIds.length)];
    const choice = Math.random();
    try {
      if (known === undefined || choice < 0.4) {
        taskIds.push(
          await beginTask(engine, 'go', { contextId: `context ${Math.floor(Math.random() * 6)}` }),
        );
      } else {
        const header = await headerOf(engine.store, known);
        if (choice < 0.7) await engine.turns.continue(header, turnInput('more', {}, { taskId: known }));
        else await engine.cancel(header);
      }
    } catch (error) {
      const { code } = error as { code?: string };
      if (code === 'UNAVAILABLE') return;
      expect(['UNSUPPORTED_OPERATION', 'TASK_NOT_CANCELABLE']).toContain(code);
    }
  }
}

function statesOf(events: readonly StreamResponse[]): string[] {
  return events.flatMap((event) => {
    if ('task' in event) return [event.task.status.state];
    return 'statusUpdate' in event ? [event.statusUpdate.status.state] : [];
  });
}

test('whatever agents, clients and stops do, every task ends once or waits for its user, and nothing is left behind', async () => {
  const store = openMemoryStore();
  const taskIds: string[] = [];
  for (let life = 0; life < LIVES; life += 1) {
    const engine = await startTestEngine(unpredictable, { store: moody(store), maxConcurrentTurns: 4 });
    const clients = Array.from({ length: CLIENTS }, () => busyClient(engine, taskIds));
    for (let tick = 0; tick < 60; tick += 1) await new Promise(setImmediate);
    await engine.stop(Math.random() < 0.5 ? 0 : 5);
    await Promise.all(clients);
    expect(engine.turns.activity).toEqual({ running: 0, queued: 0 });
  }

  const last = await startTestEngine((_turn, sink) => sink.complete('at last'), { store });
  await Promise.all(taskIds.map((taskId) => last.reader.settled(taskId, patient)));
  expect(taskIds.length).toBeGreaterThan(LIVES);
  for (const taskId of taskIds) {
    const { state, lastSequence } = await headerOf(store, taskId);
    expect(isTerminal(state) || isInterrupted(state)).toBe(true);
    const committed = await store.readEvents(taskId, 0, 10_000);
    expect(committed.map(({ sequence }) => sequence)).toEqual(
      Array.from({ length: lastSequence }, (_, index) => index + 1),
    );
    const states = statesOf(await readJournal(store, taskId));
    expect(states.at(-1)).toBe(state);
    expect(states.slice(0, -1).some((earlier) => isTerminal(earlier as typeof state))).toBe(false);
  }
  await expect.poll(() => last.turns.activity).toEqual({ running: 0, queued: 0 });
  expect(await store.listOrphans(1)).toEqual([]);
});
