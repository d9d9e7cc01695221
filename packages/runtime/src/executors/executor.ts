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
import type { TraceContext } from '../observe/trace-context.ts';

/**
 * The port an agent implements. `execute` is one turn: it reads the turn, writes to the sink and returns. Returning
 * without a final state completes the task; throwing fails it (see TerminalError and RetryableError).
 */
export interface Executor {
  execute(turn: Turn, sink: Sink): Promise<void>;
  /** What the agent says of itself on its card. */
  readonly card?: AgentDescription;
  /**
   * True when this turn may end in a plain message; asked only if the sender takes one. Then no task exists until the first
   * output that needs one; otherwise the task is on disk before `execute` starts.
   */
  answersDirectly?(turn: Turn): boolean;
  /**
   * True when a turn leaves nothing behind but what it writes to the sink: no call, no file, no process. Then the first
   * turn of a task may start while its message is on its way to the disk, and a short one costs a single commit. Nobody
   * is answered earlier: readers see what is committed, as always.
   */
  readonly withoutEffects?: boolean;
  /**
   * Goes on with a turn that a crash or restart interrupted. Without it such a task fails with a reason (J7).
   */
  resume?(turn: Turn, sink: Sink): Promise<void>;
  /**
   * A task was canceled by this process: what the agent keeps for it beyond a turn, such as a question that is open, can
   * go. A turn that runs learns of it by its signal.
   */
  release?(taskId: string): void;
  /** Lets go of what outlives a turn, such as processes. Called once, when the runtime has stopped and no turn runs. */
  close?(): Promise<void>;
}

/** What the executor is asked to do. */
export interface Turn {
  readonly taskId: string;
  readonly contextId: string;
  /** The message that began this turn. */
  readonly message: Message;
  /** The task as it was when the turn began, with its history and artifacts. */
  readonly task: Task;
  readonly configuration: SendMessageConfiguration;
  /** Metadata of the request. */
  readonly metadata: JsonObject;
  readonly owner: Owner;
  /** `sink.message` may be the answer: the sender takes one, `answersDirectly` admitted it, and there is no task yet. */
  readonly mayAnswerDirectly: boolean;
  /** 1 for the first try, more after a RetryableError or a resume. */
  readonly attempt: number;
  /** The trace this turn belongs to, to be passed on with every call the agent makes. */
  readonly trace?: TraceContext;
  /** Fires when the task is cancelled, the server stops or the task is taken by another process. */
  readonly signal: AbortSignal;
  /** Messages of earlier tasks of the same context, oldest first. */
  contextHistory(limit?: number): Promise<Message[]>;
}

/** Who asks: the tenant and the authenticated caller. */
export interface Owner {
  readonly tenant: string;
  readonly caller: string;
  readonly authenticated: boolean;
}

/** A text is short for one text part. */
export type Content = string | Part | readonly Part[];

/**
 * Where a turn writes. A call resolves when there is room for more output, which is at once unless the disk is behind;
 * `flush` resolves when everything written so far is durable. Order is kept without awaiting.
 * After the task has ended, output is kept as an artifact marked late, never lost (J6).
 */
export interface Sink {
  /** Says what the agent is doing; the state is working unless another is given. */
  status(content?: Content, options?: StatusOptions): Promise<void>;
  /** Adds an artifact or, with `append`, more parts to one that was begun. Returns its id. */
  artifact(artifact: ArtifactInput): Promise<string>;
  /** Answers without a task. Only for turns that `answersDirectly` admitted, and before any other output. */
  message(content: Content, details?: MessageDetails): Promise<void>;
  /** Ends the turn with a question; the answer begins the next turn of the same task. */
  askInput(content: Content, options?: AskOptions): Promise<void>;
  /** Ends the turn with a demand for credentials, which arrive outside A2A. */
  askAuth(content: Content, options?: AskOptions): Promise<void>;
  complete(content?: Content): Promise<void>;
  fail(content: Content): Promise<void>;
  reject(content: Content): Promise<void>;
  /** Resolves when everything written so far is on disk. */
  flush(): Promise<void>;
}

export interface StatusOptions {
  /**
   * With a final state the turn has its outcome. With a question (input or auth required) the turn may go on, for example
   * when credentials arrive outside A2A; one that returns leaves the task waiting for its user.
   */
  state?: TaskState;
  metadata?: JsonObject;
  /** For a message that was made elsewhere and keeps what it says of itself. */
  message?: MessageDetails;
}

/** What a message says of itself beside its content; an id is made where none is given. */
export type MessageDetails = Partial<
  Pick<Message, 'messageId' | 'metadata' | 'extensions' | 'referenceTaskIds'>
>;

export interface AskOptions {
  metadata?: JsonObject;
}

export interface ArtifactInput extends Omit<Artifact, 'artifactId' | 'parts'> {
  artifactId?: string;
  parts: Content;
  append?: boolean;
  lastChunk?: boolean;
  /** Metadata of the update, not of the artifact. */
  eventMetadata?: JsonObject;
}
