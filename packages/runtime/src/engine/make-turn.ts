import type { JsonObject, Message, SendMessageConfiguration, Task } from '@holdword/protocol';
import type { Store } from '@holdword/store';
import type { Owner, Turn } from '../executors/executor.ts';
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

/** What is so for one try. */
export interface TurnTry extends Pick<Turn, 'attempt' | 'mayAnswerDirectly'> {
  task: Task;
  trace: TraceContext | undefined;
}

/** What an executor is given for one try. */
export function makeTurn(source: TurnSource, now: TurnTry): Turn {
  return new GivenTurn(source, now);
}

/** A class, since an object with a getter is slow to make, and one or two are made for every message. */
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
