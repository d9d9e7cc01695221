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
  return new GivenTurn(source, attempt, trace);
}

/** A class, because an object literal with a getter is slow to create, and every message creates one or two. */
class GivenTurn implements Turn {
  readonly taskId: string;
  readonly contextId: string;
  readonly message: Message;
  readonly task: Task;
  readonly configuration: SendMessageConfiguration;
  readonly metadata: JsonObject;
  readonly owner: Owner;
  readonly mayAnswerDirectly: boolean;
  readonly attempt: number;
  declare readonly trace?: TraceContext;
  readonly contextHistory: Turn['contextHistory'];
  readonly #abort: TurnAbort;

  constructor(source: TurnSource, attempt: number, trace: TraceContext | undefined) {
    const { live } = source;
    this.taskId = live.taskId;
    this.contextId = live.contextId;
    this.message = source.message;
    this.task = live.committed?.toTask() ?? (source.newTask as Task);
    this.configuration = source.configuration;
    this.metadata = source.metadata;
    this.owner = source.owner;
    this.mayAnswerDirectly = source.direct?.open === true;
    this.attempt = attempt;
    if (trace !== undefined) this.trace = trace;
    this.#abort = source.abort;
    this.contextHistory = (limit) => readContextHistory(source.store, live, limit);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }
}

/** Why a turn's signal fired. */
export type TurnAbortReason = 'canceled' | 'stopped' | 'lost';

class TurnAborted extends Error {
  override readonly name = 'TurnAborted';
  readonly reason: TurnAbortReason;

  constructor(reason: TurnAbortReason) {
    super(`The turn was ${reason}.`);
    this.reason = reason;
  }
}

/** Ends a turn from outside, once. Its signal is created on first use: most short turns never need one. */
export class TurnAbort {
  #controller: AbortController | undefined;
  #reason: TurnAbortReason | undefined;

  /** Why the turn was aborted. Undefined if it was not. */
  get reason(): TurnAbortReason | undefined {
    return this.#reason;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      this.#controller = new AbortController();
      if (this.#reason !== undefined) this.#controller.abort(new TurnAborted(this.#reason));
    }
    return this.#controller.signal;
  }

  abort(reason: TurnAbortReason): void {
    if (this.#reason !== undefined) return;
    this.#reason = reason;
    this.#controller?.abort(new TurnAborted(reason));
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
