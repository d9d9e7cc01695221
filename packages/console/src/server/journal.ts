import type { Message, Part, StreamResponse, Task } from '@holdword/protocol';
import { isBareText, shorten, withTimeout } from '@holdword/protocol/internal';
import type { CommittedEvent, Store, TaskHeader } from '@holdword/store';
import { z } from 'zod';
import type { Conversation, EventPage, JournalEvent } from '../api/task.ts';
import type { Timeline } from '../api/timeline.ts';
import { TimelineFold } from '../api/timeline-fold.ts';
import { serverSentEvent } from './api-request.ts';

/** Events are read this many at a time; the store gives fewer if they are large. */
const PAGE = 256;
/** A request reads this many events at most, and says where it stopped. */
const MOST_EVENTS = 100_000;
/** Large parts of messages are cut. */
const MOST_PART_CHARACTERS = 20_000;
/** A stream that no commit wakes looks by itself this often: hints may be missed. */
const LOOK_MILLISECONDS = 10_000;
/** The folds of this many tasks are kept, so that a page that looks again reads only what is new. */
const MOST_FOLDS = 16;

/** What an event keeps for the engine, as far as the console shows it. */
const internalSchema = z.object({
  input: z.custom<Message>().optional(),
  takeover: z
    .object({ process: z.string(), how: z.enum(['resumed', 'started-again', 'interrupted']) })
    .optional(),
});

type Internal = z.infer<typeof internalSchema>;

/**
 * Reads the journals of tasks by sequence number, for pages of the console.
 *
 * Responsible for bounded memory and bounded work in each request, however long a task is. It shows only what is committed (J1)
 * and never writes. Leaves to its callers whether the viewer may see the task.
 */
export class Journals {
  readonly #store: Store;
  readonly #folds = new Map<string, TimelineFold>();

  constructor(store: Store) {
    this.#store = store;
  }

  /** Events after a sequence number, or the ones just before another. */
  async events(
    { taskId, firstSequence, lastSequence }: TaskHeader,
    { after, before, limit }: { after?: number | undefined; before?: number | undefined; limit: number },
  ): Promise<EventPage> {
    const end = Math.min(before ?? Infinity, lastSequence + 1);
    const start = after ?? (before === undefined ? 0 : end - 1 - limit);
    const found: CommittedEvent[] = [];
    for (let cursor = Math.max(start, firstSequence - 1); found.length < limit && cursor < end - 1;) {
      const page = await this.#store.readEvents(
        taskId,
        cursor,
        Math.min(limit - found.length, end - 1 - cursor),
      );
      const last = page.at(-1);
      if (last === undefined) break;
      found.push(...page);
      cursor = last.sequence;
      // Large ones arrive alone; what was read is enough then, unless it has to reach the end.
      if (before === undefined && page.length < limit) break;
    }
    return { events: found.map(toJournalEvent), firstSequence, lastSequence };
  }

  /** The events after a sequence number as server-sent events, then new ones as they are committed, until the signal fires. */
  async *follow(taskId: string, after: number, signal: AbortSignal): AsyncGenerator<string, void, undefined> {
    let wake = noop;
    let known = 0;
    const unsubscribe = this.#store.onCommit((commits) => {
      const own = commits.findLast((commit) => commit.taskId === taskId);
      if (own === undefined && commits.length > 0) return;
      known = own?.lastSequence ?? Infinity;
      wake();
    });
    const stop = (): void => wake();
    signal.addEventListener('abort', stop);
    try {
      for (let cursor = after; !signal.aborted;) {
        known = 0;
        const events = await this.#store.readEvents(taskId, cursor, PAGE);
        const last = events.at(-1);
        if (last !== undefined) {
          cursor = last.sequence;
          yield events.map((event) => serverSentEvent(encode(event), event.sequence)).join('');
          continue;
        }
        if ((await this.#store.readTask(taskId)) === undefined) return;
        const { promise, resolve } = Promise.withResolvers<void>();
        wake = resolve;
        if (known <= cursor && !signal.aborted) await withTimeout(promise, LOOK_MILLISECONDS).catch(() => {});
      }
    } finally {
      unsubscribe();
      signal.removeEventListener('abort', stop);
    }
  }

  async timeline(header: TaskHeader, limit: number): Promise<Timeline> {
    const { taskId, lastSequence } = header;
    const fold = await this.#foldOf(header);
    await this.#read(taskId, fold.lastSequence, lastSequence, (event) => fold.add(toJournalEvent(event)));
    const items = fold.items.slice(-limit);
    return {
      // Copies: the fold goes on with its own when the task does.
      items: items.map((item) => ({ ...item })),
      omitted: fold.omitted + fold.items.length - items.length,
      lastSequence: fold.lastSequence,
      complete: fold.lastSequence >= lastSequence,
    };
  }

  /** What was said after a sequence number. */
  async conversation(header: TaskHeader, after: number, limit: number): Promise<Conversation> {
    const { taskId, firstSequence, lastSequence } = header;
    const entries: Conversation['entries'] = [];
    let read = Math.max(after, firstSequence - 1);
    if (after < firstSequence - 1) {
      const task = await this.#snapshot(taskId);
      if (task !== undefined) entries.push(...entriesOfTask(task, firstSequence - 1));
    }
    await this.#read(taskId, read, lastSequence, (event) => {
      entries.push(...entriesOf(toJournalEvent(event)));
      read = event.sequence;
      return entries.length < limit;
    });
    return { entries, lastSequence: read, nextAfter: read < lastSequence ? read : null, nextBefore: null };
  }

  /** What was said last, or last before a sequence number. Reads no more of a long journal than that. */
  async newestConversation(
    header: TaskHeader,
    before: number | undefined,
    limit: number,
  ): Promise<Conversation> {
    const { taskId, firstSequence, lastSequence } = header;
    let entries: Conversation['entries'] = [];
    let end = Math.min(before ?? Infinity, lastSequence + 1);
    for (let seen = 0; end > firstSequence && entries.length < limit && seen < MOST_EVENTS; seen += PAGE) {
      const start = Math.max(firstSequence, end - PAGE);
      const { events } = await this.events(header, { after: start - 1, before: end, limit: PAGE });
      entries = [...events.flatMap(entriesOf), ...entries];
      end = start;
    }
    if (end === firstSequence && firstSequence > 1 && entries.length < limit) {
      const task = await this.#snapshot(taskId);
      if (task !== undefined) entries.unshift(...entriesOfTask(task, firstSequence - 1));
    }
    // What belongs to one event stays together.
    const first = entries.at(-limit)?.sequence ?? 0;
    const kept = entries.filter(({ sequence }) => sequence >= first);
    const isCut = kept.length < entries.length || end > firstSequence;
    const nextBefore = isCut ? Math.max(first, end) : null;
    return { entries: kept, lastSequence, nextAfter: null, nextBefore };
  }

  /**
   * Every event after `after` up to `through`, a bounded number in one call. The visitor returns false to stop. Other work of the
   * process runs between pages.
   */
  async #read(
    taskId: string,
    after: number,
    through: number,
    visit: (event: CommittedEvent) => boolean | void,
  ): Promise<void> {
    let cursor = after;
    for (let seen = 0; cursor < through && seen < MOST_EVENTS;) {
      const events = await this.#store.readEvents(taskId, cursor, PAGE);
      for (const event of events) if (visit(event) === false) return;
      const last = events.at(-1);
      if (last === undefined) return;
      cursor = last.sequence;
      seen += events.length;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  /** The fold of a task as far as it was read before. A journal that was trimmed begins with what its snapshot says. */
  async #foldOf({ taskId, firstSequence }: TaskHeader): Promise<TimelineFold> {
    const known = this.#folds.get(taskId);
    this.#folds.delete(taskId);
    if (known !== undefined && known.lastSequence >= firstSequence - 1) {
      this.#folds.set(taskId, known);
      return known;
    }
    const fold = new TimelineFold();
    if (firstSequence > 1) {
      fold.addGap(firstSequence);
      const task = await this.#snapshot(taskId);
      if (task !== undefined)
        fold.add({ sequence: firstSequence - 1, event: { task }, input: null, takeover: null });
    }
    this.#folds.set(taskId, fold);
    const [oldest] = this.#folds.keys();
    if (this.#folds.size > MOST_FOLDS && oldest !== undefined) this.#folds.delete(oldest);
    return fold;
  }

  async #snapshot(taskId: string): Promise<Task | undefined> {
    const snapshot = await this.#store.readSnapshot(taskId);
    return snapshot && (JSON.parse(snapshot.json) as Task);
  }
}

function noop(): void {}

function toJournalEvent(event: CommittedEvent): JournalEvent {
  const { input, takeover } = readInternal(event);
  return {
    sequence: event.sequence,
    event: JSON.parse(event.json) as StreamResponse,
    input: input ?? null,
    takeover: takeover ?? null,
  };
}

function readInternal({ internal }: CommittedEvent): Internal {
  return internal === undefined ? {} : internalSchema.parse(JSON.parse(internal));
}

/** The same as JSON, without decoding what was committed as JSON. */
function encode(event: CommittedEvent): string {
  const { input = null, takeover = null } = readInternal(event);
  const more = `"input":${JSON.stringify(input)},"takeover":${JSON.stringify(takeover)}`;
  return `{"sequence":${event.sequence},"event":${event.json},${more}}`;
}

type Entry = Conversation['entries'][number];

function entriesOf({ sequence, event, input }: JournalEvent): Entry[] {
  if ('task' in event) return entriesOfTask(event.task, sequence);
  if ('artifactUpdate' in event) {
    const { artifact, append } = event.artifactUpdate;
    return append === true ? [] : [artifactEntry(sequence, artifact)];
  }
  if (!('statusUpdate' in event)) return [];
  const { status } = event.statusUpdate;
  const at = status.timestamp ?? null;
  const isQuestion = /_(INPUT|AUTH)_REQUIRED$/.test(status.state);
  return [
    ...(input === null ? [] : [messageEntry(sequence, at, input)]),
    ...(status.message === undefined
      ? []
      : [messageEntry(sequence, at, status.message, isQuestion ? 'question' : 'message')]),
  ];
}

function entriesOfTask({ history = [], artifacts = [], status }: Task, sequence: number): Entry[] {
  const at = status.timestamp ?? null;
  return [
    ...history.map((message) => messageEntry(sequence, at, message)),
    ...artifacts.map((artifact) => artifactEntry(sequence, artifact)),
  ];
}

function messageEntry(
  sequence: number,
  at: string | null,
  { role, parts, messageId }: Message,
  kind: 'message' | 'question' = 'message',
): Entry {
  const short = parts.map(cutPart);
  return {
    sequence,
    at,
    from: role === 'ROLE_USER' ? 'user' : 'agent',
    kind,
    parts: short,
    cut: short.some((part, index) => part !== parts[index]),
    artifactId: null,
    artifactName: null,
    messageId,
  };
}

function artifactEntry(
  sequence: number,
  { artifactId, name }: { artifactId: string; name?: string | undefined },
): Entry {
  return {
    sequence,
    at: null,
    from: 'agent',
    kind: 'artifact',
    parts: [],
    cut: false,
    artifactId,
    artifactName: name ?? null,
    messageId: null,
  };
}

/** The part itself unless it is large. */
function cutPart(part: Part): Part {
  if (isBareText(part) && part.text.length <= MOST_PART_CHARACTERS) return part;
  const { text, raw, data, ...rest } = part;
  if (text !== undefined)
    return text.length <= MOST_PART_CHARACTERS
      ? part
      : { ...rest, text: shorten(text, MOST_PART_CHARACTERS) };
  const size = raw?.length ?? JSON.stringify(data ?? null).length;
  if (size <= MOST_PART_CHARACTERS) return part;
  return {
    ...rest,
    text: `(${size} characters of ${raw === undefined ? 'data' : 'a file'} are not shown here)`,
  };
}
