import {
  A2AError,
  isInterrupted,
  isTerminal,
  RESUME_EXTENSION,
  type Artifact,
  type Message,
  type Part,
  type StreamResponse,
  type Task,
  type TaskArtifactUpdateEvent,
  type TaskStatus,
} from '@holdword/protocol';
import {
  applyArtifactUpdate,
  artifactsById,
  asObject,
  generationOf,
  quoteRemoteText,
  withoutSequence,
  withRemoteText,
} from '@holdword/protocol/internal';
import { compactJsonLength } from '../artifacts/json-length.ts';
import { OwnEvents } from '../peers/own-events.ts';
import type { PeerEvent } from '../peers/peer.ts';
import { type AskedQuestion, isSameQuestion, questionOf } from './answered-question.ts';

/**
 * The local copy of a remote task, built from snapshots and events.
 *
 * Responsible for applying every event once: if the peer provides sequence numbers, events that are already in the view are
 * skipped, so that a resumed stream produces the same task as an uninterrupted one. Applying an event costs O(event):
 * artifacts are extended in place, and `toTask` returns copies. Artifacts that grow beyond the limit are not kept: the view is
 * then incomplete until it is replaced by a snapshot, whose large contents are in files.
 */
export class TaskView {
  readonly id: string;
  readonly #own: OwnEvents;
  #task: Task;
  #artifacts: Map<string, Artifact>;
  #sequence: number | undefined;
  /** Undefined if the peer does not count generations. */
  #generation: number | undefined;
  /** The last generation of an event, which no other event may have. */
  #lastOfEvent = 0;
  /** The peer does not count as it should, so that its generations say nothing. */
  #countsWrongly = false;
  #isGapped = false;
  #gaps = 0;
  #answered: AskedQuestion | undefined;
  readonly #maxLength: number;
  /** What all artifacts that were applied take in memory. */
  #length = 0;

  /** @param maxLength Maximum number of characters of artifacts in memory. */
  constructor(task: Task, sequence?: number, maxLength = Infinity) {
    this.id = task.id;
    this.#own = new OwnEvents(task.id, task.contextId);
    this.#task = copyOf(withoutSequence(task));
    this.#artifacts = artifactsById(this.#task);
    this.#sequence = sequence;
    this.#generation = generationOf(task);
    this.#maxLength = maxLength;
  }

  /** Whether artifacts were left out because they are too large for memory. */
  get isIncomplete(): boolean {
    return this.#length > this.#maxLength;
  }

  /** Whether an event belongs to this task. */
  owns(event: StreamResponse): boolean {
    return this.#own.accepts(event);
  }

  /** How many events of other tasks the agent has sent. They were left out. */
  get foreignEvents(): number {
    return this.#own.foreign;
  }

  /** The sequence number of the last applied event, if the peer provides sequence numbers. */
  get sequence(): number | undefined {
    return this.#sequence;
  }

  /** The generation of the task as it is here, if the peer counts them. */
  get generation(): number | undefined {
    return this.#generation;
  }

  /** Whether the peer has skipped an event, so that the task has to be fetched. */
  get isGapped(): boolean {
    return this.#isGapped;
  }

  get status(): TaskStatus {
    return this.#task.status;
  }

  /** Whether the task has ended, or waits for input or credentials that were not given yet. */
  get isSettled(): boolean {
    const { state } = this.#task.status;
    return isInterrupted(state) ? !this.isStillAsking : isTerminal(state);
  }

  /** Whether the task still shows the question that was answered. */
  get isStillAsking(): boolean {
    if (this.#answered === undefined) return false;
    const question = questionOf(this.#task.status);
    return question !== undefined && isSameQuestion(this.#answered, question);
  }

  /** The question that was answered last, as far as it is known. */
  get answered(): AskedQuestion | undefined {
    return this.#answered;
  }

  /** Marks a question as answered: an agent may still report the state of that question for a moment. */
  markAnswered(question: AskedQuestion | undefined): void {
    this.#answered = question;
    this.#forgetAnswered();
  }

  /** Discards the sequence number if the peer no longer accepts it. */
  forgetSequence(): void {
    this.#sequence = undefined;
  }

  /** Replaces the view with a snapshot. A task stays in its context, whatever the agent calls it later. */
  replace(task: Task, sequence?: number): void {
    const contextId = this.#task.contextId || task.contextId;
    this.#task = { ...copyOf(withoutSequence(task)), contextId };
    this.#artifacts = artifactsById(this.#task);
    this.#sequence = sequence;
    this.#generation = this.#countsWrongly ? undefined : generationOf(task);
    this.#isGapped = false;
    this.#length = 0;
    this.#forgetAnswered();
  }

  /**
   * Applies an event and returns whether it was new. One of another task is not applied.
   *
   * @throws A2AError `INVALID_AGENT_RESPONSE` if the agent has ended its stream in a state that A2A does not have: nothing more
   *   will come, and nobody knows what has become of the task.
   */
  apply(peerEvent: PeerEvent): boolean {
    if (!this.owns(peerEvent.event)) return false;
    const isNew = this.#apply(peerEvent);
    if (peerEvent.unknownEnd !== undefined) throw unknownEnd(peerEvent.unknownEnd);
    return isNew;
  }

  #apply({ event, sequence, generation }: PeerEvent): boolean {
    if ('message' in event) return false;
    if ('task' in event) return this.#applySnapshot(event.task, sequence);
    if (sequence !== undefined && this.#sequence !== undefined && sequence <= this.#sequence) return false;
    if (this.#hasGeneration(generation)) return false;
    if ('statusUpdate' in event) this.#applyStatus(event.statusUpdate.status);
    else this.#applyArtifact(event.artifactUpdate);
    this.#sequence = sequence ?? this.#sequence;
    return true;
  }

  /** Returns a copy that later events do not change. */
  toTask(): Task {
    return copyOf(this.#task);
  }

  /**
   * Returns the task as far as it was received. Without all of its artifacts it has not ended for the caller, who might take what
   * is there for the whole.
   */
  toReceivedTask(): Task {
    const task = this.toTask();
    if (!this.isIncomplete || !isTerminal(task.status.state)) return task;
    return { ...task, status: { ...task.status, state: 'TASK_STATE_WORKING' } };
  }

  #applySnapshot(task: Task, sequence: number | undefined): boolean {
    const { partial } = asObject(task.metadata?.[RESUME_EXTENSION]);
    // A partial snapshot at our own cursor, or an old snapshot that was overtaken by newer events.
    if (partial === true) return false;
    if (sequence !== undefined && this.#sequence !== undefined && sequence < this.#sequence) return false;
    const generation = this.#generation;
    const wasSequence = this.#sequence;
    this.replace(task, sequence);
    if (sequence !== undefined) return sequence !== wasSequence;
    return generation === undefined || generation !== this.#generation;
  }

  /**
   * Whether an event with this generation is already in the view: in a snapshot that was fetched meanwhile. Each event has its
   * own generation, so one that is not the next is a gap. One that another event had says that the peer does not count at all:
   * its events are then taken in the order of the stream.
   */
  #hasGeneration(generation: number | undefined): boolean {
    const last = this.#generation;
    if (this.#countsWrongly || generation === undefined) {
      this.#generation = undefined;
    } else if (generation <= this.#lastOfEvent || this.#gaps === MOST_GAPS) {
      this.#countsWrongly = true;
      this.#isGapped = true;
      this.#generation = undefined;
    } else {
      this.#lastOfEvent = generation;
      if (last !== undefined && generation <= last) return true;
      if (last !== undefined && generation > last + 1) {
        this.#isGapped = true;
        this.#gaps += 1;
      }
      this.#generation = generation;
    }
    return false;
  }

  #applyArtifact(update: TaskArtifactUpdateEvent): void {
    if (this.#maxLength !== Infinity) this.#length += weightOf(update.artifact);
    if (!this.isIncomplete) applyArtifactUpdate(this.#task, this.#artifacts, update);
  }

  #applyStatus(status: TaskStatus): void {
    this.#task.status = status;
    this.#forgetAnswered(true);
    // Like servers, which add the message to the history when the task stops.
    if (status.message !== undefined && this.isSettled) this.#addToHistory(status.message);
  }

  /**
   * Without its time, a question cannot be told from the same question that is asked again: then it is a new one if the task has
   * changed meanwhile, or if it arrives as an event.
   */
  #forgetAnswered(isEvent = false): void {
    if (this.#answered === undefined || this.#answered.timestamp !== undefined) return;
    if (isEvent || !this.isStillAsking) this.#answered = undefined;
  }

  #addToHistory(message: Message): void {
    const history = (this.#task.history ??= []);
    if (history.at(-1)?.messageId !== message.messageId) history.push(message);
  }
}

/** A peer that skips generations more often than this does not count events. */
const MOST_GAPS = 5;

/** What a part and an artifact take beyond their texts: an agent may send any number of empty ones. */
const PART_WEIGHT = 100;
const ARTIFACT_WEIGHT = 1_000;

/** Roughly what an artifact takes in memory, in characters. */
function weightOf({
  artifactId,
  name = '',
  description = '',
  parts,
  metadata,
  extensions,
}: Artifact): number {
  const texts = artifactId.length + name.length + description.length;
  const own = ARTIFACT_WEIGHT + texts + jsonLength(metadata) + jsonLength(extensions);
  return parts.reduce((weight, part) => weight + weightOfPart(part), own);
}

function weightOfPart({ text, raw, url, filename, data, metadata }: Part): number {
  const content = (text ?? raw ?? url ?? '').length + (filename ?? '').length;
  return PART_WEIGHT + content + jsonLength(data) + jsonLength(metadata);
}

function jsonLength(value: unknown): number {
  return value === undefined ? 0 : compactJsonLength(value);
}

const MAX_STATE_LENGTH = 60;

function unknownEnd(state: string): A2AError {
  return withRemoteText(
    new A2AError(
      'INVALID_AGENT_RESPONSE',
      `The agent ended its stream with a task state that is not part of A2A, ${quoteRemoteText(state, MAX_STATE_LENGTH)}, so the state of the task is unknown. Report this to its operator.`,
    ),
  );
}

/** Copies everything that events can change. */
function copyOf({ artifacts, history, ...task }: Task): Task {
  return {
    ...task,
    ...(artifacts && { artifacts: artifacts.map((each) => ({ ...each, parts: each.parts.slice() })) }),
    ...(history && { history: history.slice() }),
  };
}
