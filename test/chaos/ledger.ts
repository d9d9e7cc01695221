import { isInterrupted, isTerminal, type JsonObject, type Task, type TaskState } from '@holdword/protocol';
import { digestOf } from './journal/digest.ts';
import type { EventFrame } from './wire/client.ts';

export interface KeyedRequest {
  taskId: string;
  request: JsonObject;
}

interface AcknowledgedTask {
  /** Events received, by number; a seal stands for those that came before it. */
  events: Map<number, string>;
  /** The whole journal of a task that has ended and was found right. */
  sealed?: { length: number; digest: string };
  /** The answer that showed the task at its end, which is then its only form. */
  finalAnswer?: string;
  finalState?: TaskState;
}

/**
 * What clients were told, each word of which the server must keep: events with their numbers, answers, idempotency keys,
 * and tasks that wait for their user.
 *
 * Responsible for noticing at once when the server contradicts itself, and for saying later what a journal lacks.
 * Leaves reading the journals to the verification.
 */
export class Ledger {
  readonly #mayGrow: ReadonlySet<TaskState>;
  /** What the server did wrong, in words. */
  readonly violations: string[] = [];
  readonly keys = new Map<string, KeyedRequest>();
  readonly #tasks = new Map<string, AcknowledgedTask>();
  readonly #waiting = new Map<string, string>();
  readonly #touched = new Set<string>();
  #events = 0;
  #answers = 0;

  /**
   * `mayGrow` are the final states in which an agent can still say something, which is kept as a late artifact: after a
   * cancellation, and where servers take over each other's tasks also after that.
   */
  constructor(mayGrow: readonly TaskState[] = ['TASK_STATE_CANCELED']) {
    this.#mayGrow = new Set(mayGrow);
  }

  get counts(): { tasks: number; events: number; answers: number; keys: number } {
    return {
      tasks: this.#tasks.size,
      events: this.#events,
      answers: this.#answers,
      keys: this.keys.size,
    };
  }

  /** Every task that a client was told of. */
  get taskIds(): Iterable<string> {
    return this.#tasks.keys();
  }

  get waiting(): ReadonlyMap<string, string> {
    return this.#waiting;
  }

  /** A client received an event. */
  event(taskId: string, { sequence, json }: EventFrame): void {
    const task = this.#task(taskId);
    const known = task.events.get(sequence);
    if (known === undefined) {
      task.events.set(sequence, json);
      this.#events += 1;
    } else if (known !== json) {
      this.violations.push(`event ${sequence} of task ${taskId} came in two forms: ${known} and ${json}`);
    }
  }

  /** A client received a task in answer to a call. */
  answer(json: string): Task {
    const answered = JSON.parse(json) as Task;
    const { state } = answered.status;
    const task = this.#task(answered.id);
    this.#answers += 1;
    if (task.finalState !== undefined && task.finalState !== state) {
      this.violations.push(`task ${answered.id} ended ${task.finalState} and then answered ${state}`);
    }
    if (isTerminal(state)) {
      task.finalState = state;
      if (!this.#mayGrow.has(state)) task.finalAnswer = json;
    }
    return answered;
  }

  /** A client received the task of an idempotency key. */
  key(key: string, keyed: KeyedRequest): void {
    const known = this.keys.get(key);
    if (known === undefined) this.keys.set(key, keyed);
    else if (known.taskId !== keyed.taskId) {
      this.violations.push(`the key ${key} gave the tasks ${known.taskId} and ${keyed.taskId}`);
    }
  }

  /** A task was answered with that waits for its user; nobody acts on it until it is taken out. */
  wait(json: string): void {
    const task = this.answer(json);
    if (!isInterrupted(task.status.state)) this.violations.push(`expected a task that waits, found ${json}`);
    this.#waiting.set(task.id, json);
  }

  /** Takes the task that has waited longest, to act on it. */
  takeWaiting(): Task | undefined {
    const [json] = this.#waiting.values();
    if (json === undefined) return undefined;
    const task = JSON.parse(json) as Task;
    this.#waiting.delete(task.id);
    return task;
  }

  /** Tasks that clients heard of since they were last taken. */
  takeTouched(): string[] {
    const touched = this.touched;
    this.#touched.clear();
    return touched;
  }

  get touched(): string[] {
    return [...this.#touched];
  }

  /** What a task's whole journal lacks of the events that were acknowledged. */
  missingEvents(taskId: string, frames: readonly EventFrame[]): string[] {
    const task = this.#tasks.get(taskId);
    if (task === undefined) return [];
    const problems = eventsMissing(task.events, frames);
    if (task.sealed !== undefined) problems.push(...sealBroken(task.sealed, frames));
    return problems.map((problem) => `task ${taskId} ${problem}`);
  }

  /** What a task's whole journal and its present form lack of what was acknowledged. */
  contradictions(taskId: string, frames: readonly EventFrame[], present: string): string[] {
    const task = this.#tasks.get(taskId);
    if (task === undefined) return [];
    const problems: string[] = [];
    const { state } = (JSON.parse(present) as Task).status;
    if (task.finalState !== undefined && task.finalState !== state) {
      problems.push(`ended ${task.finalState}, is now ${state}`);
    }
    if (task.finalAnswer !== undefined && task.finalAnswer !== present) {
      problems.push(`was answered as ${task.finalAnswer}, is now ${present}`);
    }
    return [...this.missingEvents(taskId, frames), ...problems.map((problem) => `task ${taskId} ${problem}`)];
  }

  /** The task has ended and its journal is right: from now on it must stay as it is, to the last byte. */
  seal(taskId: string, frames: readonly EventFrame[], state: TaskState): void {
    const task = this.#known(taskId);
    if (this.#mayGrow.has(state)) return;
    task.sealed = { length: frames.length, digest: digestOf(frames) };
    task.finalState = state;
    task.events.clear();
  }

  /** The task's entry for news of it, which make it one to verify. */
  #task(taskId: string): AcknowledgedTask {
    this.#touched.add(taskId);
    return this.#known(taskId);
  }

  #known(taskId: string): AcknowledgedTask {
    let task = this.#tasks.get(taskId);
    if (task === undefined) this.#tasks.set(taskId, (task = { events: new Map() }));
    return task;
  }
}

function eventsMissing(events: ReadonlyMap<number, string>, frames: readonly EventFrame[]): string[] {
  const missing = [...events].filter(([sequence, json]) => frames[sequence - 1]?.json !== json);
  const [first] = missing;
  if (first === undefined) return [];
  const [sequence, json] = first;
  const found = frames[sequence - 1]?.json ?? 'nothing';
  return [`lacks ${missing.length} acknowledged events; event ${sequence} was ${json} and is ${found}`];
}

function sealBroken(sealed: { length: number; digest: string }, frames: readonly EventFrame[]): string[] {
  if (sealed.length === frames.length && sealed.digest === digestOf(frames)) return [];
  return [`had ${sealed.length} events when it was verified, and now ${frames.length} or others`];
}
