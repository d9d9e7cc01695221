import type { Store, TaskHeader } from '@holdword/store';
import type { TaskReader } from './task-reader.ts';
import { generationMismatch } from './turn-errors.ts';

interface Tasks {
  store: Pick<Store, 'readTask'>;
  reader: Pick<TaskReader, 'movedBeyond'>;
}

/*
 * A message may be meant for one generation of its task alone. While it waits for its turn it cannot be accepted once the task
 * has moved on, so its sender is told at once: the turns before it may take long. The check that counts is the one before the
 * message is written.
 */

/** Resolves as `ready` does, or rejects as soon as the task is beyond the generation. */
export async function readyInGeneration(
  ready: Promise<void>,
  tasks: Tasks,
  header: TaskHeader,
  generation: number,
): Promise<void> {
  const decided = new AbortController();
  try {
    await Promise.race([ready, rejectMoved(tasks, header, generation, decided.signal)]);
    await ready;
  } finally {
    decided.abort();
  }
}

/** Waits until the task is beyond the generation, and rejects then. Resolves when the signal fires or the engine stops. */
export async function rejectMoved(
  { store, reader }: Tasks,
  header: TaskHeader,
  generation: number,
  signal: AbortSignal,
): Promise<void> {
  await reader.movedBeyond(header, generation, signal);
  if (signal.aborted) return;
  const current = await store.readTask(header.taskId);
  if (current !== undefined) requireGeneration(header.taskId, generation, current.lastSequence);
}

/** @throws A2AError TASK_GENERATION_MISMATCH */
export function requireGeneration(taskId: string, expected: number | undefined, current: number): void {
  if (expected !== undefined && expected !== current) throw generationMismatch(taskId, expected, current);
}
