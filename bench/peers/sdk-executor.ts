import { randomUUID } from 'node:crypto';
import { Role, TaskState, type Message, type Part } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { chunkText, countedText, ECHO_TEXT, requestedChunks } from './work.ts';

/**
 * The demo agent's echo and count on the SDK's executor port, event by event: the task, working, the artifact or its
 * chunks, completed with a message.
 */
export const sdkExecutor: AgentExecutor = {
  execute(request: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const task = new TaskEvents(request, bus);
    const chunks = requestedChunks(textOf(request.userMessage.parts));
    task.created(request.userMessage);
    task.status(TaskState.TASK_STATE_WORKING);
    if (chunks === undefined) {
      task.artifact('echo', ECHO_TEXT, { append: false, lastChunk: true });
      task.status(TaskState.TASK_STATE_COMPLETED, ECHO_TEXT);
    } else {
      for (let number = 1; number <= chunks; number += 1) {
        task.artifact('numbers', chunkText(number), { append: number > 1, lastChunk: number === chunks });
      }
      task.status(TaskState.TASK_STATE_COMPLETED, countedText(chunks));
    }
    bus.finished();
    return Promise.resolve();
  },
  cancelTask: () => Promise.resolve(),
};

class TaskEvents {
  readonly #ids: { taskId: string; contextId: string };
  readonly #bus: ExecutionEventBus;

  constructor({ taskId, contextId }: RequestContext, bus: ExecutionEventBus) {
    this.#ids = { taskId, contextId };
    this.#bus = bus;
  }

  created(message: Message): void {
    const { taskId, contextId } = this.#ids;
    const status = { state: TaskState.TASK_STATE_SUBMITTED, message: undefined, timestamp: now() };
    const task = { id: taskId, contextId, status, artifacts: [], history: [message], metadata: undefined };
    this.#bus.publish(AgentEvent.task(task));
  }

  status(state: TaskState, text?: string): void {
    const message = text === undefined ? undefined : this.#agentMessage(text);
    const status = { state, message, timestamp: now() };
    this.#bus.publish(AgentEvent.statusUpdate({ ...this.#ids, status, metadata: undefined }));
  }

  artifact(name: string, text: string, chunk: { append: boolean; lastChunk: boolean }): void {
    const artifact = {
      artifactId: name,
      name,
      description: '',
      parts: [textPart(text)],
      metadata: undefined,
      extensions: [],
    };
    this.#bus.publish(AgentEvent.artifactUpdate({ ...this.#ids, artifact, ...chunk, metadata: undefined }));
  }

  #agentMessage(text: string): Message {
    return {
      ...this.#ids,
      messageId: randomUUID(),
      role: Role.ROLE_AGENT,
      parts: [textPart(text)],
      metadata: undefined,
      extensions: [],
      referenceTaskIds: [],
    };
  }
}

function now(): string {
  return new Date().toISOString();
}

function textPart(text: string): Part {
  return { content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' };
}

function textOf(parts: readonly Part[]): string {
  const content = parts[0]?.content;
  return content?.$case === 'text' ? content.value : '';
}
