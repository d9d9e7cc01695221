import type { Artifact, Message, Part, Task, TaskArtifactUpdateEvent } from '@holdword/protocol';
import { isBareText, LazyList, LazyText } from '@holdword/protocol/internal';
import { StoreError, type CommittedEvent, type Store } from '@holdword/store';
import { afterOtherWork } from '../after-other-work.ts';
import { parseEvent } from './event-codec.ts';
import { messagesIn, type StoredArtifact, type TaskFold } from './task-fold.ts';

const PAGE = 256;
/** Events between two that are wanted are read with them if there are only a few. */
const SMALL_GAP = 8;

/**
 * The task of a fold, for readers. The content of a large task is not in memory: its lists are lazy, although their types do
 * not say so, and are read from the journal while they are written. The events that they need are committed and never change
 * (J2), so the task stays what it is now.
 */
export function viewTask(store: Store, fold: TaskFold, historyLength?: number): Task {
  const task = fold.toTask(historyLength);
  const { stored } = fold;
  if (stored === undefined) return task;
  const reader = { store, taskId: fold.id };
  const { artifacts, headMessages, olderMessages } = stored;
  if (artifacts.length > 0)
    task.artifacts = new LazyList(readArtifacts(reader, artifacts)) as unknown as Artifact[];
  const newest = fold.history.slice(headMessages.length);
  const older = historyLength === undefined ? Infinity : historyLength - newest.length;
  if (olderMessages.length > 0 && older > 0) {
    const wanted = olderMessages.slice(-older);
    const heads = older > wanted.length ? headMessages.slice(-(older - wanted.length)) : [];
    task.history = new LazyList(readHistory(reader, heads, wanted, newest)) as unknown as Message[];
  }
  return task;
}

interface JournalSource {
  readonly store: Store;
  readonly taskId: string;
}

async function* readHistory(
  source: JournalSource,
  heads: readonly Message[],
  older: readonly number[],
  newest: readonly Message[],
): AsyncGenerator<Message> {
  yield* heads;
  for await (const committed of readSequences(source, older)) {
    const { event, internal } = parseEvent(committed);
    yield* messagesIn(event, internal);
  }
  yield* newest;
}

async function* readArtifacts(
  source: JournalSource,
  artifacts: readonly StoredArtifact[],
): AsyncGenerator<Artifact> {
  for (const { head, ranges } of artifacts) {
    const updates = readUpdates(source, ranges);
    const shell = head ?? (await updates.next()).value?.artifact;
    if (shell === undefined) throw deleted(source);
    const parts = new LazyList(mergedParts(shell.parts, updates));
    yield { ...shell, parts: parts as unknown as Part[] };
  }
}

async function* readUpdates(
  source: JournalSource,
  ranges: readonly number[],
): AsyncGenerator<TaskArtifactUpdateEvent, undefined> {
  for await (const committed of readRanges(source, ranges)) {
    const { event } = parseEvent(committed);
    if ('artifactUpdate' in event) yield event.artifactUpdate;
  }
  return undefined;
}

/**
 * The parts of an artifact as a fold in memory would have them: appended text continues the last text. Each text is read to its
 * end before the next part.
 */
async function* mergedParts(
  first: readonly Part[],
  updates: AsyncIterable<TaskArtifactUpdateEvent>,
): AsyncGenerator<Part> {
  const parts = allParts(first, updates);
  let next = await parts.next();
  async function* texts(text: string): AsyncGenerator<string> {
    yield text;
    for (;;) {
      next = await parts.next();
      if (next.done === true || !next.value.appended || !isBareText(next.value.part)) return;
      yield next.value.part.text;
    }
  }
  while (next.done !== true) {
    const { part } = next.value;
    if (isBareText(part)) {
      yield { text: new LazyText(texts(part.text)) as unknown as string };
    } else {
      yield part;
      next = await parts.next();
    }
  }
}

async function* allParts(
  first: readonly Part[],
  updates: AsyncIterable<TaskArtifactUpdateEvent>,
): AsyncGenerator<{ part: Part; appended: boolean }, undefined> {
  for (const part of first) yield { part, appended: false };
  for await (const { artifact } of updates) for (const part of artifact.parts) yield { part, appended: true };
  return undefined;
}

function readSequences(source: JournalSource, sequences: readonly number[]): AsyncGenerator<CommittedEvent> {
  return readRanges(
    source,
    [...new Set(sequences)].flatMap((sequence) => [sequence, sequence]),
  );
}

/**
 * The events in the ranges: first, last, first, last and so on. One page is in memory at a time, and other work of the process
 * runs between two pages.
 */
async function* readRanges(
  { store, taskId }: JournalSource,
  ranges: readonly number[],
): AsyncGenerator<CommittedEvent> {
  let page: CommittedEvent[] = [];
  let pageStart = 0;
  for (let index = 0; index < ranges.length; index += 2) {
    const [first = 0, last = 0, following = Infinity] = ranges.slice(index, index + 3);
    for (let sequence = first; sequence <= last; sequence += 1) {
      let event = page[sequence - pageStart];
      if (event === undefined) {
        await afterOtherWork();
        const limit = following - last <= SMALL_GAP ? PAGE : Math.min(PAGE, last - sequence + 1);
        page = await store.readEvents(taskId, sequence - 1, limit);
        pageStart = sequence;
        event = page[0];
      }
      if (event?.sequence !== sequence) throw deleted({ taskId });
      yield event;
    }
  }
}

function deleted({ taskId }: { taskId: string }): StoreError {
  return new StoreError('unknown-task', `Task ${taskId} was deleted while it was read.`);
}
