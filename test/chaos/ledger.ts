import { isInterrupted, isTerminal, type JsonObject, type Task, type TaskState } from '@holdword/protocol';
import { digestOf } from './journal/digest.ts';
import type { EventFrame } from './wire/client.ts';

export interface KeyedRequest {
  taskId: string;
  request: JsonObject;
}

interface AcknowledgedTask {
  /** Received events by sequence number; a seal replaces those before it. */
  events: Map<number, string>;
  /** The whole verified journal of an ended task. */
  sealed?: { length: number; digest: string };
  /** The response with the ended task, which must not change any more. */
  finalResponse?: string;
  finalState?: TaskState;
}

/**
 * Everything that clients received and the server must therefore keep: events with their sequence numbers, responses,
 * idempotency keys, and tasks that wait for their user.
 *
 * Responsible for reporting immediately if the server contradicts itself, and for comparing journals with what was
 * acknowledged. Leaves reading the journals to the verification.
 */
export class Ledger {
  readonly #mayGrow: ReadonlySet<TaskState>;
  /** Descriptions of everything the server did wrong. */
  readonly violations: string[] = [];
  readonly keys = new Map<string, KeyedRequest>();
  readonly #tasks = new Map<string, AcknowledgedTask>();
  readonly #waiting = new Map<string, string>();
  readonly #touched = new Set<string>();
  #events = 0;
  #responses = 0;

  /**
   * `mayGrow` are the terminal states after which late output is added as an artifact: canceled, and with several servers also
   * failed after a takeover.
   */
  constructor(mayGrow: readonly TaskState[] = ['TASK_STATE_CANCELED']) {
    this.#mayGrow = new Set(mayGrow);
  }

  get counts(): { tasks: number; events: number; responses: number; keys: number } {
    return {
      tasks: this.#tasks.size,
      events: this.#events,
      responses: this.#responses,
      keys: this.keys.size,
    };
  }

  /** Every task that a client has heard of. */
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
      this.violations.push(`event ${sequence} of task ${taskId} was received as ${known} and as ${json}`);
    }
  }

  /** A client received a task in a response. */
  response(json: string): Task {
    const received = JSON.parse(json) as Task;
    const { state } = received.status;
    const task = this.#task(received.id);
    this.#responses += 1;
    if (task.finalState !== undefined && task.finalState !== state) {
      this.violations.push(
        `task ${received.id} ended as ${task.finalState} and was then returned as ${state}`,
      );
    }
    if (isTerminal(state)) {
      task.finalState = state;
      if (!this.#mayGrow.has(state)) task.finalResponse = json;
    }
    return received;
  }

  /** A client received the task of an idempotency key. */
  key(key: string, keyed: KeyedRequest): void {
    const known = this.keys.get(key);
    if (known === undefined) this.keys.set(key, keyed);
    else if (known.taskId !== keyed.taskId) {
      this.violations.push(`the key ${key} returned the tasks ${known.taskId} and ${keyed.taskId}`);
    }
  }

  /** A client received a task that waits for its user; nobody answers it until it is taken out. */
  wait(json: string): void {
    const task = this.response(json);
    if (!isInterrupted(task.status.state)) this.violations.push(`expected a waiting task, received ${json}`);
    this.#waiting.set(task.id, json);
  }

  /** Takes out the task that has waited longest, to answer it. */
  takeWaiting(): Task | undefined {
    const [json] = this.#waiting.values();
    if (json === undefined) return undefined;
    const task = JSON.parse(json) as Task;
    this.#waiting.delete(task.id);
    return task;
  }

  /** Tasks that clients have heard of since the last call. */
  takeTouched(): string[] {
    const touched = this.touched;
    this.#touched.clear();
    return touched;
  }

  get touched(): string[] {
    return [...this.#touched];
  }

  /** Acknowledged events that are missing in a task's journal. */
  missingEvents(taskId: string, frames: readonly EventFrame[]): string[] {
    const task = this.#tasks.get(taskId);
    if (task === undefined) return [];
    const problems = eventsMissing(task.events, frames);
    if (task.sealed !== undefined) problems.push(...sealBroken(task.sealed, frames));
    return problems.map((problem) => `task ${taskId} ${problem}`);
  }

  /** Everything acknowledged that a task's journal and its current form contradict. */
  contradictions(taskId: string, frames: readonly EventFrame[], present: string): string[] {
    const task = this.#tasks.get(taskId);
    if (task === undefined) return [];
    const problems: string[] = [];
    const { state } = (JSON.parse(present) as Task).status;
    if (task.finalState !== undefined && task.finalState !== state) {
      problems.push(`ended as ${task.finalState}, is now ${state}`);
    }
    if (task.finalResponse !== undefined && task.finalResponse !== present) {
      problems.push(`was returned as ${task.finalResponse}, is now ${present}`);
    }
    return [...this.missingEvents(taskId, frames), ...problems.map((problem) => `task ${taskId} ${problem}`)];
  }

  /** The task has ended and its journal is verified: from now on it must not change by a single byte. */
  seal(taskId: string, frames: readonly EventFrame[], state: TaskState): void {
    const task = this.#known(taskId);
    if (this.#mayGrow.has(state)) return;
    task.sealed = { length: frames.length, digest: digestOf(frames) };
    task.finalState = state;
    task.events.clear();
  }

  /** The task's entry, which is marked as touched. */
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
  return [`is missing ${missing.length} acknowledged events; event ${sequence} was ${json} and is ${found}`];
}

function sealBroken(sealed: { length: number; digest: string }, frames: readonly EventFrame[]): string[] {
  if (sealed.length === frames.length && sealed.digest === digestOf(frames)) return [];
  return [`had ${sealed.length} events when it was verified, and has now ${frames.length} or different ones`];
}
