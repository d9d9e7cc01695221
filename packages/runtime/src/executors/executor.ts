import type {
  Artifact,
  JsonObject,
  Message,
  Part,
  SendMessageConfiguration,
  Task,
  TaskState,
} from '@holdword/protocol';
import type { AgentDescription } from '../agent-description.ts';
import type { TraceContext } from '../observe/tracing.ts';
import type { Owner } from '../owner.ts';

/**
 * What an agent implements. `execute` runs one turn: it reads the turn, writes to the sink and returns. Returning without a
 * final state completes the task; throwing fails it, see TerminalError and RetryableError.
 *
 * @example
 * ```ts
 * const agent: Executor = {
 *   card: { name: 'Echo', description: 'Repeats what you say.' },
 *   async execute(turn, sink) {
 *     await sink.status('Listening.');
 *     await sink.complete(turn.message.parts);
 *   },
 * };
 * export default agent;
 * ```
 */
export interface Executor {
  /** Runs one turn of a task. */
  execute(turn: Turn, sink: Sink): Promise<void>;
  /** The part of the agent card that the agent defines. */
  readonly card?: AgentDescription;
  /**
   * The context of messages that name neither a context nor a task: they all continue one conversation per caller.
   *
   * @default a new context for each message
   */
  readonly defaultContextId?: string | undefined;
  /**
   * Whether this turn may answer with a plain message; asked only if the client accepts one. The task is on disk before
   * `execute` starts either way. If true, the client is shown it only from the first output that needs a task, and it is
   * deleted when a plain message has been sent instead.
   *
   * @default false
   */
  answersDirectly?(turn: Turn): boolean;
  /**
   * Whether turns have no side effects: their only output is what they write to the sink. If true, the first turn of a task
   * may start while its message is still being written to disk, and a short turn costs a single commit. Clients see nothing
   * earlier: they always see only what is committed.
   *
   * @default false
   */
  readonly withoutEffects?: boolean;
  /** Resumes a turn that a crash or restart interrupted. Without it, such a task fails with a reason (J7). */
  resume?(turn: Turn, sink: Sink): Promise<void>;
  /**
   * Releases what the agent keeps for a task between turns, such as an open question. Called when this process has canceled
   * the task. A running turn is notified by its signal instead.
   */
  release?(taskId: string): void;
  /** Releases what outlives a turn, such as processes. Called once, when the runtime has stopped and no turn is running. */
  close?(): Promise<void>;
}

/** What the executor is asked to do: a message, and the task and context it belongs to. */
export interface Turn {
  readonly taskId: string;
  readonly contextId: string;
  /** The message that started this turn. */
  readonly message: Message;
  /**
   * The task at the start of the turn, with its history and artifacts. A task with more than 4 MiB of artifacts comes without
   * them, and of a history over 1 MiB only the newest messages are there.
   */
  readonly task: Task;
  readonly configuration: SendMessageConfiguration;
  /** Metadata of the request. */
  readonly metadata: JsonObject;
  /**
   * The id of the skill that the client asks for, from `urn:holdword:a2a:skill:v1` in the metadata of the message or of the
   * request. A hint: it may be none of the skills on the card, and what to do then is up to the agent.
   */
  readonly skill?: string | undefined;
  readonly owner: Owner;
  /** Whether `sink.message` is allowed: the client accepts a message, `answersDirectly` allowed it, and nothing was written yet. */
  readonly mayAnswerDirectly: boolean;
  /** 1 for the first attempt, higher after a RetryableError or a resume. */
  readonly attempt: number;
  /** The last checkpoint that this turn wrote before a crash or restart interrupted it. Absent if it wrote none. */
  readonly checkpoint?: JsonObject;
  /** The trace context of this turn, to be sent with every request that the agent makes. */
  readonly trace?: TraceContext;
  /** Fires when the task is canceled, the server stops, or another process takes over the task. */
  readonly signal: AbortSignal;
  /** Returns messages of earlier tasks of the same context, oldest first. */
  contextHistory(limit?: number): Promise<Message[]>;
}

/** A string stands for a single text part. */
export type Content = string | Part | readonly Part[];

/**
 * Where a turn writes its output. Each call resolves when there is room for more output: at once, unless the disk is slower
 * than the agent. `flush` resolves when everything written so far is durable. Order is kept even without awaiting.
 * Output that is malformed or too large rejects and fails the task, awaited or not, and so do more than 64 MiB that wait to be
 * stored: only an agent that awaits its output is slowed down to what the disk takes. Output written after the task has ended is
 * kept as an artifact marked as late, never lost (J6).
 */
export interface Sink {
  /** Reports what the agent is doing. The state is `TASK_STATE_WORKING` unless another is given. */
  status(content?: Content, options?: StatusOptions): Promise<void>;
  /** Adds an artifact or, with `append`, adds parts to an existing one. Returns its id. */
  artifact(artifact: ArtifactInput): Promise<string>;
  /** Answers with a message instead of a task. Only if `turn.mayAnswerDirectly`, and before any other output. */
  message(content: Content, details?: MessageDetails): Promise<void>;
  /** Ends the turn with a question. The answer starts the next turn of the same task. */
  askInput(content: Content, options?: AskOptions): Promise<void>;
  /** Ends the turn with a request for credentials, which the user supplies out of band. */
  askAuth(content: Content, options?: AskOptions): Promise<void>;
  /** Completes the task. */
  complete(content?: Content): Promise<void>;
  /** Fails the task; the content is shown to the caller. */
  fail(content: Content): Promise<void>;
  /** Rejects the task: the agent will not do it. */
  reject(content: Content): Promise<void>;
  /** Resolves when everything written so far is on disk. */
  flush(): Promise<void>;
}

/** What a status says besides its content. */
export interface StatusOptions {
  /**
   * A final state sets the outcome of the turn. With an input or auth required state, the turn can continue, for example
   * until credentials arrive out of band; if it returns, the task waits for its user. `TASK_STATE_SUBMITTED` says that nothing
   * of this turn has been done yet, for example because it waits for its turn: if the server stops, the next one runs it from
   * the start. Before it begins, the turn writes `TASK_STATE_WORKING` and awaits `flush`.
   *
   * @default 'TASK_STATE_WORKING'
   */
  state?: TaskState;
  /** Metadata of the status event. */
  metadata?: JsonObject;
  /** Details of the status message, for a message that was created elsewhere. */
  message?: MessageDetails;
  /**
   * How far the turn is, for `resume`: stored in the same commit as the event, given back as `turn.checkpoint`, and shown to
   * nobody. Ignored with a final state.
   */
  checkpoint?: JsonObject;
}

/** Fields of a message other than its content. An id is generated if none is given. */
export type MessageDetails = Partial<
  Pick<Message, 'messageId' | 'metadata' | 'extensions' | 'referenceTaskIds'>
>;

/** What a question says besides its content. */
export interface AskOptions {
  /** Metadata of the status event. */
  metadata?: JsonObject;
}

/** An artifact, or a part of one. */
export interface ArtifactInput extends Omit<Artifact, 'artifactId' | 'parts'> {
  /** @default a generated id */
  artifactId?: string;
  parts: Content;
  /**
   * Whether to add the parts to the artifact with this id instead of replacing it.
   *
   * @default false
   */
  append?: boolean;
  /** Whether the artifact is complete. */
  lastChunk?: boolean;
  /** Metadata of the update event, not of the artifact. */
  eventMetadata?: JsonObject;
  /** How far the turn is, as in `StatusOptions`. */
  checkpoint?: JsonObject;
}

/** Ends the wait of a turn that was submitted again. It is on disk before anything is done that must not be repeated. */
export async function beginAfterWait({ signal }: Turn, sink: Sink): Promise<void> {
  signal.throwIfAborted();
  await sink.status();
  await sink.flush();
}
