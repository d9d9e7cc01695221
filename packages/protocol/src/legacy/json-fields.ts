import type { JsonObject } from '../model/json.ts';
import { isTerminal, type TaskState } from '../model/task-state.ts';

/** The object without fields that are undefined or null. */
export function withoutAbsent(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined && value !== null),
  );
}

/** Maps the elements of an array; any other value is returned for the schema to reject. */
export function mapEach(value: unknown, map: (element: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(map) : value;
}

/** Whether a 0.3 update is the last one of its turn: the task has ended or waits for input. */
export function isFinal(state: TaskState): boolean {
  return isTerminal(state) || state === 'TASK_STATE_INPUT_REQUIRED';
}
