import type { JsonObject, Message, SendMessageConfiguration, Task } from '@holdword/protocol';
import type { Store } from '@holdword/store';
import type { Turn } from '../executors/executor.ts';
import type { Owner } from '../owner.ts';
import type { TraceContext } from '../observe/tracing.ts';
import type { LiveTask } from './live-task.ts';
import { loadFold } from './task-fold.ts';
import type { DirectAnswer } from './turn-sink.ts';

/** What stays the same for all attempts of a turn. */
export interface TurnSource {
  store: Store;
  live: LiveTask;
  owner: Owner;
  message: Message;
  configuration: SendMessageConfiguration;
  metadata: JsonObject;
  /** The task as it was before the turn, if the turn creates it. */
  newTask?: Task | undefined;
  /** Set if the turn may end in a plain message instead of a task. */
  direct?: DirectAnswer | undefined;
  abort: TurnAbort;
}

/** The turn that an executor receives for one attempt. */
export function makeTurn(source: TurnSource, attempt: number, trace: TraceContext | undefined): Turn {
  const { store, live, message, configuration, metadata, owner, abort } = source;
  return {
    taskId: live.taskId,
    contextId: live.contextId,
    message,
    task: live.committed?.toTask() ?? (source.newTask as Task),
    configuration,
    metadata,
    owner,
    mayAnswerDirectly: source.direct?.open === true,
    attempt,
    signal: abort.signal,
    contextHistory: (limit) => readContextHistory(store, live, limit),
    ...(trace && { trace }),
  };
}

/** Why a turn was aborted. */
export type TurnAbortReason = 'canceled' | 'stopped' | 'lost';

/** Ends a turn from outside, once. */
export class TurnAbort {
  readonly #controller = new AbortController();
  #reason: TurnAbortReason | undefined;

  get signal(): AbortSignal {
    return this.#controller.signal;
  }

  /** Why the turn was aborted. Undefined if it was not. */
  get reason(): TurnAbortReason | undefined {
    return this.#reason;
  }

  abort(reason: TurnAbortReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller.abort(new TurnAborted(reason));
  }
}

class TurnAborted extends Error {
  override readonly name = 'TurnAborted';
  readonly reason: TurnAbortReason;

  constructor(reason: TurnAbortReason) {
    super(`The turn was ${reason}.`);
    this.reason = reason;
  }
}

const DEFAULT_HISTORY_LIMIT = 100;
const TASKS_READ = 50;

/** Messages of the context's other tasks, oldest first: the newest ones, at most `limit`. */
async function readContextHistory(
  store: Store,
  { taskId, ownerKey, contextId }: Pick<LiveTask, 'taskId' | 'ownerKey' | 'contextId'>,
  limit: number = DEFAULT_HISTORY_LIMIT,
): Promise<Message[]> {
  const page = await store.listTasks({ owner: ownerKey, contextId, limit: TASKS_READ });
  const messages: Message[] = [];
  if (limit <= 0) return messages;
  for (const header of page.tasks) {
    if (header.taskId === taskId) continue;
    const loaded = await loadFold(store, header.taskId, header.lastSequence);
    messages.unshift(...(loaded?.fold.history ?? []));
    if (messages.length >= limit) break;
  }
  return messages.slice(-limit);
}
