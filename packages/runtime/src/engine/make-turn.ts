import type { JsonObject, Message, SendMessageConfiguration, Task } from '@holdword/protocol';
import type { Store } from '@holdword/store';
import type { Owner, Turn } from '../executors/executor.ts';
import type { TraceContext } from '../observe/tracing.ts';
import { readContextHistory } from './context-history.ts';
import type { LiveTask } from './live-task.ts';
import type { TurnAbort } from './turn-abort.ts';
import type { TurnInput } from './turns.ts';

/** What stays the same for all attempts of a turn. */
export interface TurnSource {
  store: Store;
  live: LiveTask;
  input: TurnInput;
  message: Message;
  abort: TurnAbort;
}

/** What differs between attempts. */
export interface TurnTry extends Pick<Turn, 'attempt' | 'mayAnswerDirectly'> {
  task: Task;
  trace: TraceContext | undefined;
}

/** The turn that an executor receives for one attempt. */
export function makeTurn(source: TurnSource, now: TurnTry): Turn {
  return new GivenTurn(source, now);
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

  constructor(source: TurnSource, { task, attempt, mayAnswerDirectly, trace }: TurnTry) {
    const { live, input, message } = source;
    this.taskId = live.taskId;
    this.contextId = live.contextId;
    this.message = message;
    this.task = task;
    this.configuration = input.configuration;
    this.metadata = input.metadata;
    this.owner = input.owner;
    this.mayAnswerDirectly = mayAnswerDirectly;
    this.attempt = attempt;
    if (trace !== undefined) this.trace = trace;
    this.#abort = source.abort;
    this.contextHistory = (limit) => readContextHistory(source.store, contextOf(live), limit);
  }

  get signal(): AbortSignal {
    return this.#abort.signal;
  }
}

function contextOf({ ownerKey, contextId, taskId }: LiveTask): Parameters<typeof readContextHistory>[1] {
  return { owner: ownerKey, contextId, exceptTaskId: taskId };
}
