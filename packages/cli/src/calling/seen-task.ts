import { isDeepStrictEqual } from 'node:util';
import { readFrame, TaskView, type WireFrame } from '@holdword/client/internal';
import type { Artifact, Part, StreamResponse, Task } from '@holdword/protocol';

/** An event that says something new. */
export interface NewEvent {
  /** As the agent sent it. */
  readonly json: unknown;
  /** What is new in it, for people: of a task that repeats what was shown, only the rest. */
  readonly news: readonly unknown[];
}

/** Beyond so many characters, what was shown is not remembered: a repeated task is then shown whole. */
const MOST_CHARACTERS = 32 * 1024 * 1024;

/**
 * What has been shown of a task, so that nothing is shown twice when a connection is lost and opened again.
 *
 * Responsible for what is new in an event: by its sequence number or its generation if the agent counts, else by comparing. An
 * agent that does not count begins a new stream with the whole task, of which only the rest is new.
 */
export class SeenTask {
  readonly #sequencesEvents: boolean;
  #view: TaskView | undefined;

  constructor({ resumes }: { readonly resumes: boolean }) {
    this.#sequencesEvents = resumes;
  }

  /** Where a stream is resumed, if the agent numbers its events. */
  get sequence(): number | undefined {
    return this.#sequencesEvents ? this.#view?.sequence : undefined;
  }

  /** Whether an event is missing, so that the task has to be fetched. */
  get isGapped(): boolean {
    return this.#view?.isGapped === true;
  }

  /** The agent does not know the number any more. */
  forgetSequence(): void {
    this.#view?.forgetSequence();
  }

  /** What is new in a frame; undefined if nothing is. */
  take(frame: WireFrame): NewEvent | undefined {
    const { json } = frame;
    const received = readFrame(frame, this.#sequencesEvents);
    const { event, sequence } = received;
    if ('message' in event) return { json, news: [json] };
    if (this.#view === undefined) {
      this.#view = new TaskView(
        'task' in event ? event.task : stubOf(event),
        'task' in event ? sequence : undefined,
        MOST_CHARACTERS,
      );
      if (!('task' in event)) this.#view.apply(received);
      return { json, news: [json] };
    }
    if (!('task' in event)) return this.#view.apply(received) ? { json, news: [json] } : undefined;
    const before = this.#view.toTask();
    const wasIncomplete = this.#view.isIncomplete;
    this.#view.apply(received);
    const news = wasIncomplete ? [json] : newsIn(before, this.#view.toTask());
    return news.length === 0 ? undefined : { json, news };
  }
}

/** A stream that does not begin with its task. */
function stubOf(event: Exclude<StreamResponse, { task: unknown } | { message: unknown }>): Task {
  const { taskId: id, contextId } = 'statusUpdate' in event ? event.statusUpdate : event.artifactUpdate;
  return { id, contextId, status: { state: 'TASK_STATE_SUBMITTED' } };
}

function newsIn(before: Task, after: Task): StreamResponse[] {
  const { id: taskId, contextId, status } = after;
  const known = new Map((before.artifacts ?? []).map((artifact) => [artifact.artifactId, artifact]));
  const news: StreamResponse[] = (after.artifacts ?? []).flatMap((artifact) => {
    const rest = restOf(known.get(artifact.artifactId), artifact);
    return rest === undefined ? [] : [{ artifactUpdate: { taskId, contextId, ...rest } }];
  });
  const isSameStatus =
    before.status.state === status.state &&
    isDeepStrictEqual(before.status.message?.parts, status.message?.parts);
  return isSameStatus ? news : [...news, { statusUpdate: { taskId, contextId, status } }];
}

/** What of an artifact was not shown; the whole of it if it was replaced. */
function restOf(
  shown: Artifact | undefined,
  artifact: Artifact,
): { artifact: Artifact; append: boolean } | undefined {
  if (shown === undefined) return { artifact, append: false };
  if (isDeepStrictEqual(shown.parts, artifact.parts)) return undefined;
  const [old, text] = [textOf(shown.parts), textOf(artifact.parts)];
  if (old !== undefined && text?.startsWith(old) === true) {
    const rest = text.slice(old.length);
    return rest === '' ? undefined : { artifact: { ...artifact, parts: [{ text: rest }] }, append: true };
  }
  const isLonger = isDeepStrictEqual(artifact.parts.slice(0, shown.parts.length), shown.parts);
  if (!isLonger) return { artifact, append: false };
  return { artifact: { ...artifact, parts: artifact.parts.slice(shown.parts.length) }, append: true };
}

/** The text of parts that are nothing but text: some agents join its pieces, and some keep them apart. */
function textOf(parts: readonly Part[]): string | undefined {
  return parts.every(({ text }) => text !== undefined) ? parts.map(({ text }) => text).join('') : undefined;
}
