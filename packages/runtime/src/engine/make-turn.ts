import type { Message, Task } from '@parley/protocol';
import type { Store } from '@parley/store';
import type { Turn } from '../executors/executor.ts';
import { readContextHistory } from './context-history.ts';
import type { LiveTask } from './live-task.ts';
import type { TurnInput } from './turns.ts';

/** What stays the same for all tries of a turn. */
export interface TurnSource {
  store: Store;
  live: LiveTask;
  input: TurnInput;
  message: Message;
  signal: AbortSignal;
}

/** What an executor is given for one try. */
export function makeTurn(
  { store, live, input, message, signal }: TurnSource,
  now: Pick<Turn, 'attempt' | 'mayAnswerDirectly'> & { task: Task },
): Turn {
  const { taskId, contextId, ownerKey: owner } = live;
  const { configuration, metadata } = input;
  return {
    ...now,
    taskId,
    contextId,
    message,
    configuration,
    metadata,
    owner: input.owner,
    signal,
    contextHistory: (limit) => readContextHistory(store, { owner, contextId, exceptTaskId: taskId }, limit),
  };
}
