import type { JsonObject } from '../model/json.ts';
import { isTerminal, type TaskState } from '../model/task-state.ts';

export function withoutAbsent(object: JsonObject): JsonObject {
  return Object.fromEntries(
    Object.entries(object).filter(([, value]) => value !== undefined && value !== null),
  );
}

/** Maps the elements of what should be an array; another value is left for the schema to name. */
export function mapEach(value: unknown, map: (element: unknown) => unknown): unknown {
  return Array.isArray(value) ? value.map(map) : value;
}

/** In 0.3 an update says whether it is the last one of the interaction: the task has ended, or it is the client's turn. */
export function isFinal(state: TaskState): boolean {
  return isTerminal(state) || state === 'TASK_STATE_INPUT_REQUIRED';
}
