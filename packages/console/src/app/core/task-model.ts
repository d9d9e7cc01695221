// One task on the page. Reads what the page shows, follows the journal from there, and reads again what an event has changed.
// Every committed event arrives once, in order: the stream is asked for what follows the last one, whatever has happened between.
import { signal } from '@preact/signals';
import type { TaskArtifactUpdateEvent, TaskStatusUpdateEvent } from '@holdword/protocol';
import type { Conversation, JournalEvent, TaskDetail } from '../../api/task.ts';
import { TimelineFold } from '../../api/timeline-fold.ts';
import type { TimelineItem } from '../../api/timeline.ts';
import { call, urlOf } from './api.ts';
import { EventCache } from './event-cache.ts';
import { follow } from './live.ts';

export type ConversationEntry = Conversation['entries'][number];
type ArtifactListener = (update: TaskArtifactUpdateEvent, sequence: number) => void;

const SHORTEST_PAUSE = 500;
/** A journal that takes long to read is read again less often. */
const PAUSE_PER_READ = 4;
const LONGEST_PAUSE = 5000;
/** A timeline is drawn this often at most while events arrive. */
const DRAW_MILLISECONDS = 250;
/** One with many items changes less to the eye, and costs more. */
const MANY_ITEMS = 500;
const DRAW_MANY_MILLISECONDS = 1_000;
/** Bars that are drawn at most, the newest. */
const MOST_ITEMS = 5_000;
/** What was said is read in pieces of this size, from the end. */
const ENTRIES = 60;
/** More entries are forgotten, the oldest first; they are read again when somebody scrolls there. */
const MOST_ENTRIES = 1_000;
const ENDED = /COMPLETED|FAILED|CANCELED|REJECTED/;

export class TaskModel {
  readonly taskId: string;
  readonly detail = signal<TaskDetail | undefined>(undefined);
  readonly items = signal<readonly TimelineItem[]>([]);
  /** Items that come before these, in a journal that is too long to draw whole. */
  readonly omittedItems = signal(0);
  /** What was said last. */
  readonly entries = signal<readonly ConversationEntry[]>([]);
  /** Whether more was said before. */
  readonly hasEarlierEntries = signal(false);
  /** The last event that has arrived. */
  readonly lastSequence = signal(0);
  readonly error = signal<unknown>(undefined);
  /** Whether timeline and conversation were read once. */
  readonly isLoaded = signal(false);
  /** Counts what has changed in `events`. */
  readonly version = signal(0);
  readonly events: EventCache;
  /** The last event that the conversation includes. */
  #conversationRead: number | undefined;
  /** What was said before this event is not in `entries`. */
  #entriesBegin: number | null = null;
  #fold: TimelineFold | undefined;
  /** Events that arrived before the timeline they continue. */
  #early: JournalEvent[] = [];
  #listeners = new Map<string, Set<ArtifactListener>>();
  #queue: JournalEvent[] = [];
  #frame: number | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #drawTimer: ReturnType<typeof setTimeout> | undefined;
  #dirty = false;
  #pause = SHORTEST_PAUSE;
  #stopped = false;
  #stopFollowing: (() => void) | undefined;

  constructor(taskId: string) {
    this.taskId = taskId;
    this.events = new EventCache(
      (after, limit) => call('listEvents', { path: { taskId }, query: { after, limit } }),
      () => {
        this.version.value += 1;
      },
    );
  }

  /** Loads and follows the task until the function that it returns is called. */
  start(): () => void {
    void this.#open();
    return () => {
      this.#stopped = true;
      this.#stopFollowing?.();
      clearTimeout(this.#timer);
      clearTimeout(this.#drawTimer);
      if (this.#frame !== undefined) cancelAnimationFrame(this.#frame);
    };
  }

  async #open(): Promise<void> {
    try {
      const detail = await call('getTask', { path: { taskId: this.taskId } });
      if (this.#stopped) return;
      this.detail.value = detail;
      this.lastSequence.value = detail.lastSequence;
      this.error.value = undefined;
      this.#follow();
      await Promise.all([this.#readTimeline(), this.#readConversation()]);
      this.isLoaded.value = true;
    } catch (error) {
      this.error.value = error;
    }
  }

  retry(): void {
    void this.#open();
  }

  #follow(): void {
    this.#stopFollowing?.();
    this.#stopFollowing = follow({
      url: () => urlOf('watchTask', { taskId: this.taskId }, { after: this.#lastReceived() }),
      receive: (data) => this.#receive(data as JournalEvent),
      isOver: () => this.isEnded(),
      resumed: () => this.refresh(),
    });
  }

  isEnded(): boolean {
    return ENDED.test(this.detail.peek()?.state ?? '');
  }

  #lastReceived(): number {
    return this.#queue.at(-1)?.sequence ?? this.lastSequence.peek();
  }

  #receive(event: JournalEvent): void {
    // A stream that was cut may repeat what had arrived.
    if (event.sequence <= this.#lastReceived()) return;
    this.#queue.push(event);
    // Many events in one frame are one drawing. A page in the background has no frames.
    if (document.hidden) this.#flush();
    else this.#frame ??= requestAnimationFrame(() => this.#flush());
  }

  #flush(): void {
    this.#frame = undefined;
    const queue = this.#queue;
    this.#queue = [];
    for (const entry of queue) {
      this.events.add(entry);
      if (this.#fold === undefined) this.#early.push(entry);
      else this.#fold.add(entry);
      if ('artifactUpdate' in entry.event) this.#tell(entry.event.artifactUpdate, entry.sequence);
      else this.#dirty = true;
      if ('statusUpdate' in entry.event) this.#setState(entry.event.statusUpdate);
    }
    this.#drawTimer ??= setTimeout(
      () => {
        this.#drawTimer = undefined;
        this.#showItems();
      },
      this.items.peek().length > MANY_ITEMS ? DRAW_MANY_MILLISECONDS : DRAW_MILLISECONDS,
    );
    const last = queue.at(-1);
    if (last !== undefined) this.lastSequence.value = last.sequence;
    this.version.value += 1;
    if (this.#dirty) this.#schedule();
  }

  /** At once; what else has changed with it is read soon. */
  #setState({ status: { state, timestamp } }: TaskStatusUpdateEvent): void {
    const detail = this.detail.peek();
    // A report of what the agent does is no new state, and there may be hundreds in a second.
    if (detail !== undefined && detail.state !== state)
      this.detail.value = { ...detail, state, statusAt: timestamp ?? detail.statusAt };
  }

  /** A new artifact is a new entry of the conversation; a chunk is the business of whoever shows the artifact. */
  #tell({ artifact, append, ...update }: TaskArtifactUpdateEvent, sequence: number): void {
    const { artifactId } = artifact;
    const isKnown = this.entries.peek().some((entry) => entry.artifactId === artifactId);
    if (append !== true || !isKnown) this.#dirty = true;
    for (const listener of this.#listeners.get(artifactId) ?? [])
      listener({ ...update, artifact, append }, sequence);
  }

  #showItems(): void {
    if (this.#fold === undefined) return;
    // The fold changes its items in place; a new list says that they have.
    const { items, omitted } = this.#fold;
    this.items.value = items.slice(-MOST_ITEMS);
    this.omittedItems.value = omitted + Math.max(0, items.length - MOST_ITEMS);
  }

  /** Tells when an artifact grows or is replaced, until the function that it returns is called. */
  onArtifact(artifactId: string, listener: ArtifactListener): () => void {
    const listeners = this.#listeners.get(artifactId) ?? new Set();
    this.#listeners.set(artifactId, listeners.add(listener));
    return () => listeners.delete(listener);
  }

  /** Reads everything that is not part of the stream again, soon. */
  refresh(): void {
    this.#dirty = true;
    this.#schedule();
  }

  #schedule(): void {
    if (this.#timer !== undefined || this.#stopped) return;
    this.#timer = setTimeout(() => void this.#refreshNow(), this.#pause);
  }

  async #refreshNow(): Promise<void> {
    this.#dirty = false;
    const began = performance.now();
    try {
      this.detail.value = await call('getTask', { path: { taskId: this.taskId } });
      await this.#readConversation();
    } catch {
      // The line on top of the page says that the server is away.
      this.#dirty = true;
    }
    const pause = Math.max(SHORTEST_PAUSE, (performance.now() - began) * PAUSE_PER_READ);
    this.#pause = Math.min(LONGEST_PAUSE, pause);
    this.#timer = undefined;
    if (this.#dirty) this.#schedule();
  }

  /** Once: from there on, the page folds the events that arrive. */
  async #readTimeline(): Promise<void> {
    let timeline = await call('getTimeline', { path: { taskId: this.taskId } });
    // The server reads a very long journal in several requests.
    while (!timeline.complete && !this.#stopped)
      timeline = await call('getTimeline', { path: { taskId: this.taskId } });
    if (this.#stopped) return;
    const fold = TimelineFold.from(timeline);
    // Between the two requests events may have been committed that the stream has brought already.
    for (const event of this.#early) fold.add(event);
    this.#early = [];
    this.#fold = fold;
    this.#showItems();
  }

  /** What was said stays said: at first the end of it, then only what follows the last event that was read. */
  async #readConversation(): Promise<void> {
    if (this.#conversationRead === undefined) {
      const newest = await this.#newestBefore(undefined);
      this.#conversationRead = newest.lastSequence;
      this.#keep(newest.entries, newest.nextBefore);
      return;
    }
    let entries = this.entries.peek();
    let after: number | null = this.#conversationRead;
    while (after !== null) {
      const page: Conversation = await call('getConversation', {
        path: { taskId: this.taskId },
        query: { after },
      });
      const last = entries.at(-1)?.sequence ?? 0;
      entries = [...entries, ...page.entries.filter(({ sequence }) => sequence > last)];
      this.#conversationRead = page.lastSequence;
      after = page.nextAfter;
    }
    const forgotten = entries.length - MOST_ENTRIES;
    if (forgotten <= 0) this.#keep(entries, this.#entriesBegin);
    else {
      const begin = entries[forgotten]?.sequence ?? 0;
      this.#keep(
        entries.filter(({ sequence }) => sequence >= begin),
        begin,
      );
    }
  }

  /** Reads what was said before. */
  async readEarlier(): Promise<void> {
    if (this.#entriesBegin === null) return;
    const earlier = await this.#newestBefore(this.#entriesBegin);
    this.#keep([...earlier.entries, ...this.entries.peek()], earlier.nextBefore);
  }

  #newestBefore(before: number | undefined): Promise<Conversation> {
    const query = { limit: ENTRIES, ...(before !== undefined && { before }) };
    return call('getConversation', { path: { taskId: this.taskId }, query });
  }

  #keep(entries: readonly ConversationEntry[], begin: number | null): void {
    if (this.#stopped) return;
    this.#entriesBegin = begin;
    this.hasEarlierEntries.value = begin !== null;
    this.entries.value = entries;
  }
}
