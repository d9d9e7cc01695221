import {
  type Artifact,
  isInterrupted,
  isTerminal,
  type Message,
  type StreamResponse,
  type Task,
  type TaskArtifactUpdateEvent,
  type TaskStatus,
} from '@holdword/protocol';
import {
  applyArtifactUpdate,
  artifactsById,
  charactersOf,
  withoutSequence,
} from '@holdword/protocol/internal';
import type { Snapshot, Store } from '@holdword/store';
import { afterOtherWork } from '../after-other-work.ts';
import { parseEvent, type InternalPayload, type TurnRequest } from './event-codec.ts';

/** A task whose artifacts take more characters of JSON than this is large: their content is read from the journal. */
export const LARGE_CHARACTERS = 4 * 1024 * 1024;
/** The newest messages are in memory, up to this many characters; older ones are read from the journal. */
const HISTORY_CHARACTERS = 1024 * 1024;

/**
 * The task so far, folded from its journal. Applying an event costs O(event): a growing artifact is found by id and
 * extended in place, so no caller may keep a reference into it; `toTask` returns copies.
 *
 * A fold stays small however large its task grows: it knows which events each artifact and each message comes from, and of a
 * large task it keeps only that. `viewTask` reads the rest from the journal, piece by piece.
 *
 * The history contains the conversation: what the user sent, and what the agent said when it stopped. What the agent
 * says while working stays in the journal and on the streams.
 */
export class TaskFold {
  readonly #task: Task;
  /** The artifacts in memory: all, or those of a large task that are not in the journal. */
  readonly #artifacts: Map<string, Artifact>;
  /** All artifacts, in their order. */
  readonly #sources: Map<string, ArtifactSource>;
  /** The events that the messages in memory come from; 0 if they are not in the journal. Those come first. */
  #messageSources: number[];
  /** The events of messages that are no longer in memory, between those that are not in the journal and the newest. */
  #olderMessages: number[];
  #request: TurnRequest;
  #sequence: number;
  #characters: number;
  #artifactCharacters = 0;
  #historyCharacters = 0;
  #isLarge: boolean;

  /** Takes ownership of the task from its first event. */
  constructor(task: Task, internal?: InternalPayload, characters = 0) {
    this.#task = withoutSequence(task);
    this.#artifacts = artifactsById(this.#task);
    this.#sources = new Map();
    for (const id of this.#artifacts.keys()) this.#sources.set(id, { ranges: [], characters: 0, head: true });
    this.#messageSources = (this.#task.history ?? []).map(() => 1);
    this.#olderMessages = [];
    this.#request = internal?.request ?? {};
    this.#sequence = 1;
    this.#characters = characters;
    this.#historyCharacters = characters;
    this.#isLarge = false;
  }

  /** The fold that has applied the events up to `sequence`. */
  static fromSnapshot(json: string, sequence: number): TaskFold {
    const { task, request, journal } = JSON.parse(json) as FoldSnapshot;
    const fold = new TaskFold(task, { request }, json.length);
    fold.#sequence = sequence;
    // Nothing is known about the events of a task that came from another system: what it had is kept in memory.
    fold.#messageSources = journal?.messages ?? (task.history ?? []).map(() => 0);
    if (journal === undefined) return fold;
    fold.#characters = journal.characters;
    fold.#olderMessages = journal.olderMessages;
    fold.#isLarge = journal.isLarge;
    fold.#sources.clear();
    for (const [id, source] of journal.artifacts) {
      fold.#sources.set(id, source);
      fold.#artifactCharacters += source.characters;
    }
    return fold;
  }

  toSnapshot(): string {
    const snapshot: FoldSnapshot = {
      task: this.#task,
      request: this.#request,
      journal: {
        characters: this.#characters,
        isLarge: this.#isLarge,
        artifacts: [...this.#sources],
        messages: this.#messageSources,
        olderMessages: this.#olderMessages,
      },
    };
    return JSON.stringify(snapshot);
  }

  get id(): string {
    return this.#task.id;
  }

  get contextId(): string {
    return this.#task.contextId;
  }

  get status(): TaskStatus {
    return this.#task.status;
  }

  /** The number of the last event that was applied. */
  get sequence(): number {
    return this.#sequence;
  }

  /** The size of all events that were applied, in characters. */
  get characters(): number {
    return this.#characters;
  }

  /** What of them is in memory. */
  get heldCharacters(): number {
    return this.#artifactCharacters + this.#historyCharacters;
  }

  /** The artifacts are too large to be kept in memory. */
  get isLarge(): boolean {
    return this.#isLarge;
  }

  /** The messages in memory: all, or the newest. */
  get history(): readonly Message[] {
    return this.#task.history ?? [];
  }

  /** What came with the message of the current turn, and how far the turn is. */
  get request(): TurnRequest {
    return this.#request;
  }

  /** Everything is in memory: `toTask` returns the whole task. */
  get isWhole(): boolean {
    return !this.#isLarge && this.#olderMessages.length === 0;
  }

  /** What a reader of the task has to read from the journal. Undefined if everything is in memory. */
  get stored(): StoredContent | undefined {
    if (this.isWhole) return undefined;
    return {
      artifacts: this.#isLarge ? [...this.#sources].map((entry) => this.#storedArtifact(...entry)) : [],
      headMessages: this.history.slice(0, this.#headMessages()),
      olderMessages: this.#olderMessages.slice(),
    };
  }

  /** Applies the next event of the journal, whose JSON has this many characters. */
  apply(event: StreamResponse, internal?: InternalPayload, characters = 0): void {
    this.#sequence += 1;
    this.#characters += characters;
    if (internal?.input !== undefined) this.#request = internal.request ?? {};
    if (internal?.checkpoint !== undefined)
      this.#request = { ...this.#request, checkpoint: internal.checkpoint };
    if ('statusUpdate' in event) this.#task.status = event.statusUpdate.status;
    else if ('artifactUpdate' in event) this.#applyArtifact(event.artifactUpdate, characters);
    const said = messagesIn(event, internal);
    if (said.length > 0) this.#addToHistory(said, characters);
  }

  /**
   * A copy that later events do not change. `historyLength` keeps that many of the newest messages; 0 omits the
   * history. Of a large task it has what is in memory, without artifacts that are not complete there.
   */
  toTask(historyLength?: number): Task {
    const { id, contextId, status, metadata, artifacts = [], history = [] } = this.#task;
    const task: Task = { id, contextId, status };
    if (metadata !== undefined) task.metadata = metadata;
    const complete = this.#isLarge ? artifacts.filter((artifact) => this.#isComplete(artifact)) : artifacts;
    if (complete.length > 0)
      task.artifacts = complete.map((artifact) => ({ ...artifact, parts: artifact.parts.slice() }));
    const kept = historyLength === undefined ? history.slice() : newest(history, historyLength);
    if (kept.length > 0) task.history = kept;
    return task;
  }

  #applyArtifact(update: TaskArtifactUpdateEvent, characters: number): void {
    const { artifactId } = update.artifact;
    let source = this.#sources.get(artifactId);
    if (source === undefined || update.append !== true) {
      if (source !== undefined) this.#dropContent(artifactId, source);
      source = { ranges: [this.#sequence, this.#sequence], characters: 0, head: false };
      // A replaced artifact keeps its position.
      this.#sources.set(artifactId, source);
    } else {
      extendRanges(source.ranges, this.#sequence);
    }
    if (this.#isLarge) return;
    source.characters += characters;
    this.#artifactCharacters += characters;
    applyArtifactUpdate(this.#task, this.#artifacts, update);
    if (this.#artifactCharacters > LARGE_CHARACTERS) this.#becomeLarge();
  }

  /** The artifact is being replaced. In a small task, applying the update does that. */
  #dropContent(artifactId: string, source: ArtifactSource): void {
    this.#artifactCharacters -= source.characters;
    if (this.#isLarge && source.head) this.#keepArtifacts((artifact) => artifact.artifactId !== artifactId);
  }

  /** From here on the artifacts are read from the journal, except those that came without it. */
  #becomeLarge(): void {
    this.#isLarge = true;
    this.#artifactCharacters = 0;
    this.#keepArtifacts(({ artifactId }) => this.#sources.get(artifactId)?.head === true);
    for (const source of this.#sources.values()) {
      source.characters = 0;
      // What was appended to it is in memory with it.
      if (source.head) source.ranges = [];
    }
  }

  #keepArtifacts(isKept: (artifact: Artifact) => boolean): void {
    const kept = (this.#task.artifacts ?? []).filter(isKept);
    this.#task.artifacts = kept;
    this.#artifacts.clear();
    for (const artifact of kept) this.#artifacts.set(artifact.artifactId, artifact);
  }

  #isComplete({ artifactId }: Artifact): boolean {
    return this.#sources.get(artifactId)?.ranges.length === 0;
  }

  #storedArtifact(artifactId: string, { ranges, head }: ArtifactSource): StoredArtifact {
    return { head: head ? this.#artifacts.get(artifactId) : undefined, ranges: ranges.slice() };
  }

  #addToHistory(messages: readonly Message[], characters: number): void {
    const history = (this.#task.history ??= []);
    for (const message of messages) {
      history.push(message);
      this.#messageSources.push(this.#sequence);
    }
    this.#historyCharacters += characters;
    if (this.#historyCharacters > HISTORY_CHARACTERS) this.#shortenHistory(history);
  }

  /** Keeps the newest messages up to half of what is allowed, so that this is rare, and always the last one. */
  #shortenHistory(history: Message[]): void {
    const heads = this.#headMessages();
    let kept = history.length - 1;
    let characters = charactersOf(history[kept]);
    while (kept > heads) {
      const more = charactersOf(history[kept - 1]);
      if (characters + more > HISTORY_CHARACTERS / 2) break;
      characters += more;
      kept -= 1;
    }
    this.#historyCharacters = characters;
    // An event is read whole: of those that began with several messages, either all are in memory or none.
    while (kept > heads && this.#messageSources[kept - 1] === this.#messageSources[kept]) kept -= 1;
    if (kept <= heads) return;
    this.#task.history = [...history.slice(0, heads), ...history.slice(kept)];
    this.#olderMessages.push(...this.#messageSources.slice(heads, kept));
    this.#messageSources = [...this.#messageSources.slice(0, heads), ...this.#messageSources.slice(kept)];
  }

  /** How many messages are not in the journal. */
  #headMessages(): number {
    const first = this.#messageSources.findIndex((sequence) => sequence > 0);
    return first === -1 ? this.#messageSources.length : first;
  }
}

/** Where the content of an artifact comes from. */
interface ArtifactSource {
  /** The numbers of its events, as first, last, first, last and so on. */
  ranges: number[];
  /** What it takes in memory. */
  characters: number;
  /** It has content that is not in the journal, which is kept in memory. */
  head: boolean;
}

/** An artifact of a large task: what is kept in memory, continued by events of the journal. */
export interface StoredArtifact {
  readonly head: Artifact | undefined;
  /** As first, last, first, last and so on. */
  readonly ranges: readonly number[];
}

/** The content of a task that is not in memory. */
export interface StoredContent {
  /** All artifacts of a large task, in order. Empty if they are in memory. */
  readonly artifacts: readonly StoredArtifact[];
  /** The messages that are older than those. */
  readonly headMessages: readonly Message[];
  /** The events with messages that are older than those in memory. */
  readonly olderMessages: readonly number[];
}

interface FoldSnapshot {
  task: Task;
  request: TurnRequest;
  /** Absent if the task came from another system. */
  journal?: {
    characters: number;
    isLarge: boolean;
    artifacts: [artifactId: string, source: ArtifactSource][];
    messages: number[];
    olderMessages: number[];
  };
}

function extendRanges(ranges: number[], sequence: number): void {
  if (ranges.at(-1) === sequence - 1) ranges[ranges.length - 1] = sequence;
  else ranges.push(sequence, sequence);
}

const NO_MESSAGES: readonly Message[] = [];

/** What an event adds to the history. */
export function messagesIn(event: StreamResponse, internal: InternalPayload | undefined): readonly Message[] {
  if ('task' in event) return event.task.history ?? NO_MESSAGES;
  if (!('statusUpdate' in event)) return NO_MESSAGES;
  const { message, state } = event.statusUpdate.status;
  const isSaid = message !== undefined && (isTerminal(state) || isInterrupted(state));
  if (internal?.input === undefined) return isSaid ? [message] : NO_MESSAGES;
  return isSaid ? [internal.input, message] : [internal.input];
}

function newest(messages: readonly Message[], count: number): Message[] {
  return count === 0 ? [] : messages.slice(-count);
}

/** The snapshot of a task as stores keep it, for tasks that come from another system. */
export function taskToSnapshot(task: Task): string {
  const snapshot: FoldSnapshot = { task: withoutSequence(task), request: {} };
  return JSON.stringify(snapshot);
}

const PAGE = 512;
/** A longer snapshot is not one of a fold that stays small. The journal is read instead, if it is complete. */
const SNAPSHOT_CHARACTERS = 64 * 1024 * 1024;
/** Other work of the process runs after a longer one was read. */
const LONG_CHARACTERS = 256 * 1024;

/**
 * Folds a task from its newest snapshot and the events after it: up to the last committed event, or at least up to the
 * event `enough`, which saves a read, and never beyond `most`. Undefined if the task has no journal, or was deleted while it was
 * read. Other work of the process runs between two pages.
 */
export async function loadFold(
  store: Store,
  taskId: string,
  enough = Infinity,
  most = Infinity,
): Promise<TaskFold | undefined> {
  const snapshot = await store.readSnapshot(taskId, SNAPSHOT_CHARACTERS);
  let fold = snapshot && snapshot.sequence <= most ? readableFold(snapshot) : undefined;
  if (snapshot !== undefined && snapshot.json.length > LONG_CHARACTERS) await afterOtherWork();
  for (;;) {
    const after = fold?.sequence ?? 0;
    const events = await store.readEvents(taskId, after, Math.min(PAGE, most - after));
    if (fold === undefined && (events[0]?.sequence ?? 1) > 1) {
      fold = await trimmedFold(store, taskId);
      if (fold === undefined) return undefined;
    }
    for (const committed of events) {
      const { event, internal } = parseEvent(committed);
      const characters = committed.json.length + (committed.internal?.length ?? 0);
      if (fold === undefined) fold = new TaskFold((event as { task: Task }).task, internal, characters);
      else if (committed.sequence > fold.sequence) fold.apply(event, internal, characters);
    }
    const sequence = fold?.sequence ?? 0;
    if (events.length > 0 && sequence < enough) {
      await afterOtherWork();
      continue;
    }
    const isDeleted = sequence < enough && enough !== Infinity;
    return isDeleted ? undefined : fold;
  }
}

/** A snapshot only saves time: without it, the journal is read from its start. */
function readableFold({ json, sequence }: Snapshot): TaskFold | undefined {
  try {
    return TaskFold.fromSnapshot(json, sequence);
  } catch {
    return undefined;
  }
}

/** The events before the last one were removed, so there is no other way than a long snapshot. */
async function trimmedFold(store: Store, taskId: string): Promise<TaskFold | undefined> {
  const snapshot = await store.readSnapshot(taskId);
  return snapshot && TaskFold.fromSnapshot(snapshot.json, snapshot.sequence);
}
