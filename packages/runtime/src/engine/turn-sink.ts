import {
  type Artifact,
  isInterrupted,
  isTerminal,
  type JsonObject,
  type Message,
  type Part,
  type TaskState,
} from '@holdword/protocol';
import { isBareText, partSchema } from '@holdword/protocol/internal';
import { TerminalError } from '../executors/executor-errors.ts';
import type {
  ArtifactInput,
  AskOptions,
  Content,
  MessageDetails,
  Sink,
  StatusOptions,
} from '../executors/executor.ts';
import { errorText, type Log } from '../log.ts';
import type { ArtifactChunk, LiveTask } from './live-task.ts';
import { newId } from '../ids-and-times.ts';
import { TooMuchUnwritten } from './turn-errors.ts';

const LATE_ARTIFACT_NAME = 'late-answer';
const UNWRITABLE = 'The output of the agent could not be written. The reason is in the server log.';

type StatusContent = NonNullable<Parameters<LiveTask['writeStatus']>[1]>;

interface EndOptions {
  metadata?: JsonObject | undefined;
  message?: MessageDetails | undefined;
}

/**
 * What one turn writes, as events of its task.
 *
 * Responsible for ending the turn once: after a final state or a question, nothing changes the state. What an agent
 * says later becomes an artifact marked as late (J6); status messages are dropped then.
 */
export class TurnSink implements Sink {
  readonly #live: LiveTask;
  readonly #log: Log;
  readonly #direct: DirectAnswer | undefined;
  #lateArtifacts: Set<string> | undefined;
  #ended = false;
  /** The answer to everything that the agent still writes. */
  #refused: Promise<never> | undefined;
  #isLogged = false;

  constructor(live: LiveTask, log: Log, direct?: DirectAnswer) {
    this.#live = live;
    this.#log = log;
    this.#direct = direct;
  }

  /** The turn has its outcome: a final state, a question or a direct message. */
  get ended(): boolean {
    return this.#ended || this.#taskEnded();
  }

  status(content?: Content, options: StatusOptions = {}): Promise<void> {
    return this.#written(() => this.#writeStatus(content, options), undefined);
  }

  artifact(input: ArtifactInput): Promise<string> {
    const { artifactId = newId() } = input;
    return this.#written(() => this.#writeArtifact(artifactId, input), artifactId);
  }

  message(content: Content, details: MessageDetails = {}): Promise<void> {
    return this.#written(() => this.#answer(content, details), undefined);
  }

  askInput(content: Content, options: AskOptions = {}): Promise<void> {
    return this.#end('TASK_STATE_INPUT_REQUIRED', content, asked(options));
  }

  askAuth(content: Content, options: AskOptions = {}): Promise<void> {
    return this.#end('TASK_STATE_AUTH_REQUIRED', content, asked(options));
  }

  complete(content?: Content): Promise<void> {
    return this.#end('TASK_STATE_COMPLETED', content);
  }

  fail(content: Content): Promise<void> {
    return this.#end('TASK_STATE_FAILED', content);
  }

  reject(content: Content): Promise<void> {
    return this.#end('TASK_STATE_REJECTED', content);
  }

  flush(): Promise<void> {
    return this.#live.flushed();
  }

  /** The agent returned: its turn is completed, unless it has an outcome or the task waits for its user. */
  async finish(): Promise<void> {
    const state = this.#live.writtenState;
    if (!this.ended && (state === undefined || !isInterrupted(state))) await this.complete();
  }

  /** Writes immediately, and resolves when more can be written. */
  #written<Result>(write: () => void, result: Result): Promise<Result> {
    if (this.#refused !== undefined) return this.#refused;
    try {
      write();
    } catch (error) {
      this.#failOnce(error);
      const rejected = this.#logged(Promise.reject(error as Error));
      // An agent that does not wait would be answered with as many errors as it writes.
      if (error instanceof TooMuchUnwritten) this.#refused = rejected;
      return rejected;
    }
    if (this.#live.hasRoom) return Promise.resolve(result);
    return this.#logged(this.#live.room().then(() => result));
  }

  /** Output that cannot be written fails the task at once: an agent that ignores the error would complete without it. */
  #failOnce(error: unknown): void {
    if (this.ended) return;
    const text = error instanceof TerminalError ? error.message : UNWRITABLE;
    this.#direct?.becomeTask();
    this.#live.writeStatus('TASK_STATE_FAILED', { parts: [{ text }] }, { releaseLease: true });
    this.#ended = true;
  }

  /** An agent need not await its output: an error that it does not handle does not end the process. */
  #logged<Result>(writing: Promise<Result>): Promise<Result> {
    writing.catch((error: unknown) => {
      if (this.#isLogged) return;
      this.#isLogged = true;
      this.#log.warn('Output of the agent was not written.', {
        taskId: this.#live.taskId,
        error: errorText(error),
      });
    });
    return writing;
  }

  #writeStatus(content: Content | undefined, options: StatusOptions): void {
    const state = options.state ?? 'TASK_STATE_WORKING';
    if (isTerminal(state)) return this.#writeEnd(state, content, options);
    if (this.ended) return;
    const parts = content === undefined ? undefined : partsOf(content);
    const details = detailsOf(options.message);
    const metadata = metadataOf(options.metadata);
    // That the turn waits, or begins after that, is no output yet: its answer may still be a plain message.
    const isOutput =
      state !== 'TASK_STATE_SUBMITTED' && (state !== 'TASK_STATE_WORKING' || parts !== undefined);
    if (isOutput || this.#isAnswered) this.#becomeTask();
    const checkpoint = metadataOf(options.checkpoint);
    this.#live.writeStatus(state, parts && { parts, details }, {
      metadata,
      internal: checkpoint && { checkpoint },
    });
  }

  #writeArtifact(artifactId: string, input: ArtifactInput): void {
    if ((input.parts as Content | undefined) === undefined) {
      throw new TerminalError(
        "artifact() takes an object with parts, and the agent gave none. Write: sink.artifact({ parts: 'hello' })",
      );
    }
    const artifact = artifactOf(artifactId, input);
    const { append, lastChunk } = input;
    const metadata = metadataOf(input.eventMetadata);
    this.#becomeTask();
    if (this.ended) this.#writeLate(artifact, { append, lastChunk, metadata });
    else {
      const checkpoint = metadataOf(input.checkpoint);
      this.#live.writeArtifact({ artifact, append, lastChunk, metadata, checkpoint });
    }
  }

  #answer(content: Content, given: MessageDetails): void {
    const parts = partsOf(content);
    const direct = this.#direct;
    if (direct?.open !== true) {
      throw new TerminalError(
        direct === undefined
          ? 'The agent answered with a plain message in a turn that already has a task. It should complete the task instead.'
          : 'The agent answered with a plain message after other output. It should complete the task instead.',
      );
    }
    if (this.ended) return this.#writeEnd('TASK_STATE_COMPLETED', parts, {});
    // The same message in the journal and for the caller.
    const details = { messageId: newId(), ...detailsOf(given) };
    const { taskId: _, ...message } = this.#live.agentMessage(parts, details);
    this.#writeOutcome('TASK_STATE_COMPLETED', { parts, details });
    direct.answer(message);
  }

  #end(state: TaskState, content: Content | undefined, options: EndOptions = {}): Promise<void> {
    return this.#written(() => this.#writeEnd(state, content, options), undefined);
  }

  #writeEnd(state: TaskState, content: Content | undefined, options: EndOptions): void {
    const parts = content === undefined ? undefined : partsOf(content);
    const details = detailsOf(options.message);
    const metadata = metadataOf(options.metadata);
    if (!this.ended) {
      this.#becomeTask();
      this.#writeOutcome(state, parts && { parts, details }, metadata);
    } else if (parts !== undefined) {
      this.#becomeTask();
      this.#writeLate({ artifactId: newId(), parts }, { lastChunk: true });
    }
  }

  #writeOutcome(state: TaskState, content: StatusContent | undefined, metadata?: JsonObject): void {
    this.#live.writeStatus(state, content, { releaseLease: true, metadata });
    this.#ended = true;
  }

  /** The caller is shown the task from here on, unless it has been given a plain message already. */
  #becomeTask(): void {
    if (this.#isAnswered) {
      throw new TerminalError(
        'The agent wrote more after its plain message, which is the whole answer. It should complete a task instead.',
      );
    }
    this.#direct?.becomeTask();
  }

  get #isAnswered(): boolean {
    return this.#direct?.isAnswered === true;
  }

  #taskEnded(): boolean {
    const state = this.#live.writtenState;
    return state !== undefined && isTerminal(state);
  }

  /** With a new id, so that the artifacts from before the end of the turn stay unchanged. */
  #writeLate(artifact: Artifact, chunk: Omit<ArtifactChunk, 'artifact'>): void {
    const artifactId = `late-${artifact.artifactId}`;
    const late = (this.#lateArtifacts ??= new Set());
    const append = chunk.append === true && late.has(artifactId);
    late.add(artifactId);
    const state = this.#live.writtenState as TaskState;
    const reason = isInterrupted(state) ? 'the turn had asked its user' : 'the task had ended';
    const metadata = { ...artifact.metadata, late: { state, reason } };
    const name = artifact.name ?? LATE_ARTIFACT_NAME;
    this.#live.writeArtifact({ ...chunk, append, artifact: { ...artifact, artifactId, name, metadata } });
  }
}

function artifactOf(artifactId: string, input: ArtifactInput): Artifact {
  const { name, description, metadata, extensions } = input;
  const parts = partsOf(input.parts);
  const artifact: Artifact = name === undefined ? { artifactId, parts } : { artifactId, name, parts };
  if (description !== undefined) artifact.description = description;
  if (metadata !== undefined) artifact.metadata = metadataOf(metadata) as JsonObject;
  if (extensions !== undefined) artifact.extensions = extensions;
  return artifact;
}

/** Metadata of a question belongs to its message, where the task keeps it. */
function asked({ metadata }: AskOptions): EndOptions {
  return metadata === undefined ? {} : { message: { metadata } };
}

function detailsOf(details: MessageDetails | undefined): MessageDetails | undefined {
  return details?.metadata === undefined ? details : { ...details, metadata: metadataOf(details.metadata) };
}

/**
 * The open decision of a turn that may end in a plain message: message or task? The first output decides, once.
 *
 * Leaves the journal to the sink: the turn is a task there either way, so that it can be found if its caller leaves or this
 * process dies before the message is sent.
 */
export class DirectAnswer {
  /** The message, or undefined if the caller is shown the task. */
  readonly decided: Promise<Message | undefined>;
  readonly #decide: (message: Message | undefined) => void;
  #outcome: 'message' | 'task' | undefined;

  constructor() {
    const { promise, resolve } = Promise.withResolvers<Message | undefined>();
    this.decided = promise;
    this.#decide = resolve;
  }

  get open(): boolean {
    return this.#outcome === undefined;
  }

  get isAnswered(): boolean {
    return this.#outcome === 'message';
  }

  answer(message: Message): void {
    this.#outcome ??= 'message';
    this.#decide(message);
  }

  becomeTask(): void {
    this.#outcome ??= 'task';
    this.#decide(undefined);
  }
}

/** The parts of an executor's content. Throws if the agent gave no parts or a malformed one. */
export function partsOf(content: Content): Part[] {
  if (typeof content === 'string') return [{ text: content }];
  const parts: readonly unknown[] = Array.isArray(content) ? content : [content];
  if (parts.length === 0)
    throw new TerminalError('The agent returned content without parts; at least one is required.');
  return parts.map((part) => {
    if (isBareText(part)) return { text: part.text };
    const accepted = partSchema.safeParse(part);
    if (accepted.success) return detachedPart(accepted.data);
    const issue = accepted.error.issues[0];
    throw new TerminalError(`The agent returned a malformed part: ${issue?.message ?? 'unknown reason'}.`);
  });
}

/** Metadata as it will be read back. Undefined stays undefined. */
export function metadataOf(metadata: JsonObject | undefined): JsonObject | undefined {
  return metadata === undefined ? undefined : (detached(metadata) as JsonObject);
}

function detachedPart(part: Part): Part {
  if (part.data !== undefined) part.data = detached(part.data);
  if (part.metadata !== undefined) part.metadata = detached(part.metadata) as JsonObject;
  return part;
}

/**
 * The value as the journal stores it. The agent may keep changing its own object, and what is shown from memory must
 * stay what was written.
 */
function detached(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  try {
    return JSON.parse(JSON.stringify(value)) as unknown;
  } catch (error) {
    throw new TerminalError('The agent returned content that cannot be encoded as JSON.', { cause: error });
  }
}
