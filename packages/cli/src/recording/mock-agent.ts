import { createHash } from 'node:crypto';
import {
  isInterrupted,
  isTerminal,
  RESUME_EXTENSION,
  type Message,
  type StreamResponse,
  type TaskState,
} from '@holdword/protocol';
import { canonicalJson, shorten } from '@holdword/protocol/internal';
import { TerminalError, type AgentDescription, type Executor, type Sink, type Turn } from '@holdword/runtime';
import { agentDescriptionSchema } from '@holdword/runtime/internal';
import { paced } from './pacing.ts';
import { readFrom, taskIdOf, verifyRecording } from './read-recording.ts';
import type { RecordedEvent, RecordingHeader } from './recording-format.ts';
import { stateIn, statusOf } from './task-events.ts';
import { messageText } from './timeline.ts';

/*
 * An agent that answers as recorded. A turn of the recording is a message and the events that followed it; a message gets the
 * events of the first turn with the same parts that was not played yet. Only the position of each turn in the file is kept.
 */

interface RecordedTurn {
  readonly key: string;
  readonly offset: number;
  /** Undefined if the answer was a plain message. */
  readonly taskId: string | undefined;
  /** What the user said, for people. */
  readonly said: string;
  isPlayed: boolean;
}

export interface MockOptions {
  readonly speed: number;
  /** Messages must come in the order of the recording, each once. */
  readonly isStrict: boolean;
  /** Is told of messages that the recording does not have. */
  readonly onMismatch: (text: string) => void;
}

export interface MockAgent extends Executor {
  /** How many turns there are, and how many were played at least once. */
  readonly progress: { readonly turns: number; readonly played: number; readonly mismatches: number };
}

/** Reads the recording once, which verifies it. */
export async function openMockAgent(path: string, options: MockOptions): Promise<MockAgent> {
  const turns: RecordedTurn[] = [];
  const { header } = await verifyRecording(path, ({ input, event, offset }) => {
    if (input === undefined) return;
    turns.push({
      key: keyOf(input),
      offset,
      taskId: taskIdOf(event),
      said: messageText(input),
      isPlayed: false,
    });
  });
  const book = new Playbook(turns, options.isStrict);
  return {
    card: cardOf(header),
    get progress() {
      return book.progress;
    },
    answersDirectly: ({ message, taskId }) => {
      const turn = book.find(message, taskId);
      return turn !== undefined && turn.taskId === undefined;
    },
    async execute(turn, sink) {
      const recorded = book.take(turn.message, turn.taskId);
      if (recorded === undefined) {
        const text = book.describeMismatch(turn.message);
        options.onMismatch(text);
        throw new TerminalError(text);
      }
      await play(path, recorded, turn, sink, options.speed);
    },
  };
}

class Playbook {
  readonly #turns: readonly RecordedTurn[];
  readonly #isStrict: boolean;
  /** The recorded task that a task of the mock plays. */
  readonly #parts = new Map<string, string>();
  #mismatches = 0;

  constructor(turns: readonly RecordedTurn[], isStrict: boolean) {
    this.#turns = turns;
    this.#isStrict = isStrict;
  }

  get progress(): MockAgent['progress'] {
    return {
      turns: this.#turns.length,
      played: this.#turns.filter(({ isPlayed }) => isPlayed).length,
      mismatches: this.#mismatches,
    };
  }

  find(message: Message, taskId: string): RecordedTurn | undefined {
    const key = keyOf(message);
    if (this.#isStrict) {
      const next = this.#turns.find(({ isPlayed }) => !isPlayed);
      return next?.key === key ? next : undefined;
    }
    const matching = this.#turns.filter((turn) => turn.key === key);
    const part = this.#parts.get(taskId);
    const own = part === undefined ? [] : matching.filter((turn) => turn.taskId === part);
    const candidates = own.length > 0 ? own : matching;
    return candidates.find(({ isPlayed }) => !isPlayed) ?? candidates.at(-1);
  }

  take(message: Message, taskId: string): RecordedTurn | undefined {
    const turn = this.find(message, taskId);
    if (turn === undefined) {
      this.#mismatches += 1;
      return undefined;
    }
    turn.isPlayed = true;
    if (turn.taskId !== undefined) this.#parts.set(taskId, turn.taskId);
    return turn;
  }

  describeMismatch(message: Message): string {
    const next = this.#turns.find(({ isPlayed }) => !isPlayed);
    const found = `The recording has no answer to "${shorten(messageText(message), 200)}"`;
    if (!this.#isStrict || next === undefined) {
      return next === undefined
        ? `${found}; all of it was played.`
        : `${found}. It has one to "${shorten(next.said, 200)}".`;
    }
    return `${found} at this point: the next message must be "${shorten(next.said, 200)}".`;
  }
}

/** The same for messages with the same parts, whatever their ids and metadata. */
function keyOf({ parts }: Message): string {
  const content = parts.map(({ text, raw, url, data }) => {
    if (text !== undefined) return { text: text.trim() };
    return { raw, url, data };
  });
  return createHash('sha256').update(canonicalJson(content)).digest('base64url');
}

/** The events until the next message of the user. */
async function play(
  path: string,
  { offset, taskId }: RecordedTurn,
  turn: Turn,
  sink: Sink,
  speed: number,
): Promise<void> {
  const events = ofOneTurn(readFrom(path, offset), taskId);
  let isFirst = true;
  for await (const { event } of paced(events, speed, turn.signal)) {
    if ('message' in event) await answer(event.message, turn, sink);
    else await write(event, sink, isFirst);
    isFirst = false;
  }
  turn.signal.throwIfAborted();
}

async function* ofOneTurn(
  events: AsyncIterable<RecordedEvent>,
  taskId: string | undefined,
): AsyncGenerator<RecordedEvent, void, undefined> {
  let count = 0;
  for await (const recorded of events) {
    if (taskIdOf(recorded.event) !== taskId) continue;
    if (count > 0 && recorded.input !== undefined) return;
    count += 1;
    yield recorded;
    const state = stateIn(recorded.event) as TaskState | undefined;
    if (taskId === undefined || (state !== undefined && isTerminal(state))) return;
  }
}

async function answer({ parts, metadata, extensions }: Message, turn: Turn, sink: Sink): Promise<void> {
  const details = { ...(metadata && { metadata }), ...(extensions && { extensions }) };
  await (turn.mayAnswerDirectly ? sink.message(parts, details) : sink.complete(parts));
}

async function write(
  event: Exclude<StreamResponse, { message: Message }>,
  sink: Sink,
  isFirst: boolean,
): Promise<void> {
  if ('artifactUpdate' in event) {
    const { artifact, append, lastChunk, metadata } = event.artifactUpdate;
    await sink.artifact({
      ...artifact,
      ...(append === true && { append }),
      ...(lastChunk === true && { lastChunk }),
      ...withMetadata('eventMetadata', metadata),
    });
    return;
  }
  if ('task' in event) {
    // What a task had before its first message was forked from another one, and is not part of this turn.
    const isWhole = statusIsRest(event);
    if (isWhole) for (const artifact of event.task.artifacts ?? []) await sink.artifact(artifact);
  }
  const status = statusOf(event);
  if (status === undefined) return;
  const { state, message } = status;
  // The server itself says that it begins.
  if (
    message === undefined &&
    (isFirst || state === 'TASK_STATE_WORKING' || state === 'TASK_STATE_SUBMITTED')
  ) {
    if (!isTerminal(state) && !isInterrupted(state)) return;
  }
  const metadata = 'statusUpdate' in event ? event.statusUpdate.metadata : undefined;
  await sink.status(message?.parts, {
    state,
    ...withMetadata('metadata', metadata),
    ...(message?.metadata && { message: { metadata: message.metadata } }),
  });
}

function statusIsRest(event: StreamResponse): boolean {
  const state = stateIn(event) as TaskState;
  return isTerminal(state) || isInterrupted(state);
}

/** Metadata without the number of the recorded event: the mock numbers its own. */
function withMetadata(name: string, metadata: Readonly<Record<string, unknown>> | undefined): object {
  if (metadata === undefined) return {};
  const { [RESUME_EXTENSION]: _, ...others } = metadata;
  return Object.keys(others).length === 0 ? {} : { [name]: others };
}

/** The card of the recorded agent, as far as the recording has it. */
function cardOf({ agent }: RecordingHeader): AgentDescription {
  const { url: _, ...described } = agent ?? { name: 'Mock' };
  const { data } = agentDescriptionSchema.safeParse({ description: 'Answers as recorded.', ...described });
  return {
    ...((data as AgentDescription | undefined) ?? { name: 'Mock', description: 'Answers as recorded.' }),
    defaultInputModes: ['*/*'],
    defaultOutputModes: ['*/*'],
  };
}
