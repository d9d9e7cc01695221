import { createHash, type Hash } from 'node:crypto';
import type { Artifact, Message, Part, StreamResponse, Task, TaskStatus } from '@holdword/protocol';
import { isBareText } from '@holdword/protocol/internal';
import type { RecordedEvent } from './recording-format.ts';
import { numberOf, timeOf } from './task-events.ts';

/*
 * What a client sees of a task comes in many forms: the events of one stream or of two at once, the whole task again after each
 * question, the same event after a reconnect. A recording has each change once: the task as it began, then updates.
 */

interface KnownTask {
  sequence: number;
  /** The number that the agent gave its last event, if it numbers them. */
  agentSequence: number;
  status: TaskStatus;
  readonly artifacts: Map<string, Hash>;
  /** The stream whose events count, as long as it is open. */
  source: object | undefined;
  /** A message that nothing has come of yet. */
  input: Message | undefined;
}

/** Turns what clients see of tasks into the events of a recording. It keeps digests, not contents. */
export class TaskTrace {
  readonly #tasks = new Map<string, KnownTask>();

  /** Something that the agent sent; `source` is the stream it came on. Returns what is new, in order. */
  add(event: StreamResponse, input?: Message, source: object = event): RecordedEvent[] {
    const time = timeOf(event) ?? new Date().toISOString();
    if ('message' in event) return [{ time, input, event }];
    if ('task' in event) return this.#addTask(event.task, input, source, time);
    const { taskId } = 'statusUpdate' in event ? event.statusUpdate : event.artifactUpdate;
    const known = this.#tasks.get(taskId);
    // An event of a task that was never seen cannot be placed.
    if (known === undefined || !isNext(known, event, source)) return [];
    if ('statusUpdate' in event) known.status = event.statusUpdate.status;
    else addContent(known, event.artifactUpdate.artifact, event.artifactUpdate.append === true);
    return [numbered(known, { time, input, event })];
  }

  /** No more events come from the stream. */
  end(source: object): void {
    for (const known of this.#tasks.values()) if (known.source === source) known.source = undefined;
  }

  #addTask(task: Task, input: Message | undefined, source: object, time: string): RecordedEvent[] {
    const known = this.#tasks.get(task.id);
    const agentSequence = numberOf({ task }) ?? 0;
    if (known === undefined) {
      const begun: KnownTask = {
        sequence: 0,
        agentSequence,
        status: task.status,
        artifacts: new Map(),
        source,
        input: undefined,
      };
      for (const artifact of task.artifacts ?? []) addContent(begun, artifact, false);
      this.#tasks.set(task.id, begun);
      return [numbered(begun, { time, input, event: { task } })];
    }
    if (input !== undefined) known.input = input;
    if (agentSequence > 0 && agentSequence <= known.agentSequence) return [];
    known.agentSequence = Math.max(known.agentSequence, agentSequence);
    known.source ??= source;
    return this.#changes(known, task, time);
  }

  /** What a task has that was not seen before. */
  #changes(known: KnownTask, task: Task, time: string): RecordedEvent[] {
    const { id: taskId, contextId, status } = task;
    const events: RecordedEvent[] = [];
    for (const artifact of task.artifacts ?? []) {
      if (known.artifacts.get(artifact.artifactId)?.copy().digest('hex') === digestOf(artifact)) continue;
      addContent(known, artifact, false);
      const artifactUpdate = { taskId, contextId, artifact, lastChunk: true };
      events.push(numbered(known, { time, event: { artifactUpdate } }));
    }
    if (!isSame(known.status, status)) {
      known.status = status;
      events.push(numbered(known, { time, event: { statusUpdate: { taskId, contextId, status } } }));
    }
    return events;
  }
}

function isNext(known: KnownTask, event: StreamResponse, source: object): boolean {
  const sequence = numberOf(event);
  if (sequence !== undefined) {
    if (sequence <= known.agentSequence) return false;
    known.agentSequence = sequence;
    return true;
  }
  known.source ??= source;
  return known.source === source;
}

function numbered(known: KnownTask, event: RecordedEvent): RecordedEvent {
  known.sequence += 1;
  const input = event.input ?? known.input;
  known.input = undefined;
  return { ...event, input, sequence: known.sequence };
}

function isSame(one: TaskStatus, other: TaskStatus): boolean {
  return (
    one.state === other.state &&
    one.timestamp === other.timestamp &&
    JSON.stringify(one.message?.parts) === JSON.stringify(other.message?.parts)
  );
}

function addContent({ artifacts }: KnownTask, { artifactId, parts }: Artifact, append: boolean): void {
  const hash = (append ? artifacts.get(artifactId) : undefined) ?? createHash('sha256');
  addParts(hash, parts);
  artifacts.set(artifactId, hash);
}

/** The same for a text in one part and in many. */
export function addParts(hash: Hash, parts: readonly Part[]): void {
  for (const part of parts) hash.update(isBareText(part) ? part.text : `\u0000${JSON.stringify(part)}`);
}

function digestOf({ parts }: Artifact): string {
  const hash = createHash('sha256');
  addParts(hash, parts);
  return hash.digest('hex');
}
