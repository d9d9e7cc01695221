import { randomUUID } from 'node:crypto';
import { Role, type Message, type Part, TaskState, type TaskStatus } from '@a2a-js/sdk';
import { AgentEvent, type ExecutionEventBus, type RequestContext } from '@a2a-js/sdk/server';

export interface ArtifactChunk {
  readonly artifactId: string;
  readonly parts: Part[];
  readonly append: boolean;
  readonly lastChunk: boolean;
}

/** Publishes events like an agent written for the official SDK, without its empty fields. */
export class SdkBus {
  readonly #request: RequestContext;
  readonly #bus: ExecutionEventBus;
  readonly #isUndated: boolean;

  /** @param isUndated Statuses have no time, which A2A allows. */
  constructor(request: RequestContext, bus: ExecutionEventBus, isUndated = false) {
    this.#request = request;
    this.#bus = bus;
    this.#isUndated = isUndated;
  }

  /** A turn that begins with the task as it was before, as in the examples of the SDK. */
  sameTask(): void {
    const { task } = this.#request;
    if (task === undefined) this.task(TaskState.TASK_STATE_SUBMITTED);
    else this.#bus.publish(AgentEvent.task(task));
  }

  /** The SDK requires the task itself as the first event of every turn. */
  task(state: TaskState): void {
    const { task, userMessage, taskId, contextId } = this.#request;
    const earlier = task ?? { id: taskId, contextId, artifacts: [], history: [], metadata: undefined };
    const history = [...earlier.history, userMessage];
    this.#bus.publish(AgentEvent.task({ ...earlier, status: this.#status(state), history }));
  }

  status(state: TaskState, text?: string): void {
    const status = this.#status(state, text === undefined ? undefined : this.#agentMessage(text));
    this.#bus.publish(AgentEvent.statusUpdate({ ...this.#ids, status, metadata: undefined }));
  }

  artifact({ artifactId, parts, append, lastChunk }: ArtifactChunk): void {
    const artifact = {
      artifactId,
      name: artifactId,
      description: '',
      parts,
      metadata: undefined,
      extensions: [],
    };
    this.#bus.publish(
      AgentEvent.artifactUpdate({ ...this.#ids, artifact, append, lastChunk, metadata: undefined }),
    );
  }

  message(text: string): void {
    this.#bus.publish(AgentEvent.message(this.#agentMessage(text)));
  }

  finished(): void {
    this.#bus.finished();
  }

  #status(state: TaskState, message?: Message): TaskStatus {
    return { state, message, timestamp: this.#isUndated ? undefined : new Date().toISOString() };
  }

  get #ids(): { taskId: string; contextId: string } {
    const { taskId, contextId } = this.#request;
    return { taskId, contextId };
  }

  #agentMessage(text: string): Message {
    return {
      ...this.#ids,
      messageId: randomUUID(),
      role: Role.ROLE_AGENT,
      parts: [sdkTextPart(text)],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
  }
}

export function sdkTextPart(text: string): Part {
  return { content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' };
}

/** The first text of the message that started the turn. */
export function requestText({ userMessage }: RequestContext): string {
  return (
    userMessage.parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []))[0] ?? ''
  );
}
