import type { Message, Task } from '@parley/protocol';
import type { Store } from '@parley/store';
import type { Turn } from '../executors/executor.ts';
import type { TraceContext } from '../observe/trace-context.ts';
import { readContextHistory } from './context-history.ts';
import type { LiveTask } from './live-task.ts';
import type { TurnAbort } from './turn-abort.ts';
import type { TurnInput } from './turns.ts';

/** What stays the same for all tries of a turn. */
export interface TurnSource {
  store: Store;
  live: LiveTask;
  input: TurnInput;
  message: Message;
  abort: TurnAbort;
}

/** What an executor is given for one try. */
export function makeTurn(
  { store, live, input, message, abort }: TurnSource,
  now: Pick<Turn, 'attempt' | 'mayAnswerDirectly'> & { task: Task; trace: TraceContext | undefined },
): Turn {
  const { taskId, contextId, ownerKey: owner } = live;
  const { configuration, metadata } = input;
  const { trace, ...rest } = now;
  return {
    ...rest,
    ...(trace && { trace }),
    taskId,
    contextId,
    message,
    configuration,
    metadata,
    owner: input.owner,
    get signal() {
      return abort.signal;
    },
    contextHistory: (limit) => readContextHistory(store, { owner, contextId, exceptTaskId: taskId }, limit),
  };
}
