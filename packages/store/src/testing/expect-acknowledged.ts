import { expect, vi } from 'vitest';
import type { Store } from '../port.ts';
import { crashEventJson } from './crash-event.ts';
import { readAllEvents } from './sample-task.ts';

/** Fails unless each journal of crash events contains everything acknowledged, without gaps or duplicates (J1, J2). */
export async function expectAcknowledged(
  store: Store,
  acknowledged: ReadonlyMap<string, number>,
): Promise<void> {
  for (const [taskId, sequence] of acknowledged) {
    // A database may still commit what a killed process had sent, between one read and the next.
    const events = await vi.waitFor(async () => {
      const all = await readAllEvents(store, taskId);
      expect(await store.readTask(taskId)).toMatchObject({ lastSequence: all.length });
      return all;
    });
    expect(events.length).toBeGreaterThanOrEqual(sequence);
    expect(events).toEqual(
      events.map((_, index) => ({ sequence: index + 1, json: crashEventJson(taskId, index + 1) })),
    );
  }
  const { tasks, totalSize } = await store.listTasks({ owner: 'crash', limit: 100_000 });
  expect(totalSize).toBe(tasks.length);
  expect(totalSize).toBeGreaterThanOrEqual(acknowledged.size);
}
