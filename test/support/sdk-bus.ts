import { randomUUID } from 'node:crypto';
import { Role, type Message, type Part, type TaskState } from '@a2a-js/sdk';
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

  constructor(request: RequestContext, bus: ExecutionEventBus) {
    this.#request = request;
    this.#bus = bus;
  }

  /** The SDK requires the task itself as the first event of every turn. */
  task(state: TaskState): void {
    const { task, userMessage, taskId, contextId } = this.#request;
    const earlier = task ?? { id: taskId, contextId, artifacts: [], history: [], metadata: undefined };
    const history = [...earlier.history, userMessage];
    this.#bus.publish(AgentEvent.task({ ...earlier, status: statusOf(state), history }));
  }

  status(state: TaskState, text?: string): void {
    const status = statusOf(state, text === undefined ? undefined : this.#agentMessage(text));
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

function statusOf(state: TaskState, message?: Message) {
  return { state, message, timestamp: new Date().toISOString() };
}
