import { randomUUID } from 'node:crypto';
import { Role, TaskState, type Artifact, type Message, type Part } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { Gates } from '../../support/gates.ts';

/**
 * An agent on the official SDK's own port that does what the message says, in steps separated by `;`:
 * `artifact NAME TEXT`, `append NAME TEXT`, `mirror`, `wait GATE`, `ask TEXT`, `message TEXT`, `fail TEXT`.
 * A script that neither asks nor fails completes the task.
 */
export class SdkScript implements AgentExecutor {
  readonly gates = new Gates();
  readonly #canceled = new Map<string, AbortController>();

  async execute(request: RequestContext, bus: ExecutionEventBus): Promise<void> {
    const turn = new Turn(request, bus);
    const canceled = new AbortController();
    this.#canceled.set(request.taskId, canceled);
    const [first = '', ...rest] = textOf(request.userMessage).split(';');
    if (first.startsWith('message ')) {
      bus.publish(AgentEvent.message(turn.message(first.slice('message '.length))));
      bus.finished();
      return;
    }
    turn.begin();
    try {
      for (const step of [first, ...rest]) {
        if (await this.#step(step.trim(), turn, canceled.signal)) return;
      }
      turn.status(TaskState.TASK_STATE_COMPLETED, 'done');
    } catch {
      turn.status(TaskState.TASK_STATE_CANCELED, 'canceled');
    } finally {
      bus.finished();
    }
  }

  cancelTask(taskId: string): Promise<void> {
    this.#canceled.get(taskId)?.abort();
    return Promise.resolve();
  }

  /** Says whether the turn is over. */
  async #step(step: string, turn: Turn, signal: AbortSignal): Promise<boolean> {
    const [word = '', name = '', ...words] = step.split(' ');
    switch (word) {
      case 'artifact':
      case 'append':
        turn.artifact(name, [textPart(words.join(' '))], word === 'append');
        return false;
      case 'mirror':
        turn.artifact('mirror', turn.request.userMessage.parts, false);
        return false;
      case 'wait':
        await this.gates.pass(name, signal);
        return false;
      case 'ask':
        turn.status(TaskState.TASK_STATE_INPUT_REQUIRED, [name, ...words].join(' '));
        return true;
      case 'fail':
        turn.status(TaskState.TASK_STATE_FAILED, [name, ...words].join(' '));
        return true;
      default:
        return false;
    }
  }
}

class Turn {
  readonly request: RequestContext;
  readonly #bus: ExecutionEventBus;
  readonly #ids: { taskId: string; contextId: string };

  constructor(request: RequestContext, bus: ExecutionEventBus) {
    this.request = request;
    this.#bus = bus;
    this.#ids = { taskId: request.taskId, contextId: request.contextId };
  }

  /** The SDK wants the task itself first, in every turn. */
  begin(): void {
    const { task, userMessage, taskId, contextId } = this.request;
    const status = { state: TaskState.TASK_STATE_WORKING, message: undefined, timestamp: now() };
    const earlier = task ?? { id: taskId, contextId, artifacts: [], history: [], metadata: undefined };
    this.#bus.publish(
      AgentEvent.task({ ...earlier, status, history: [...(task?.history ?? []), userMessage] }),
    );
  }

  status(state: TaskState, text: string): void {
    const status = { state, message: this.message(text), timestamp: now() };
    this.#bus.publish(AgentEvent.statusUpdate({ ...this.#ids, status, metadata: undefined }));
  }

  artifact(artifactId: string, parts: Part[], append: boolean): void {
    const artifact: Artifact = {
      artifactId,
      name: artifactId,
      description: '',
      parts,
      metadata: undefined,
      extensions: [],
    };
    this.#bus.publish(
      AgentEvent.artifactUpdate({ ...this.#ids, artifact, append, lastChunk: false, metadata: undefined }),
    );
  }

  message(text: string): Message {
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

function textOf({ parts }: Message): string {
  return parts.flatMap(({ content }) => (content?.$case === 'text' ? [content.value] : []))[0] ?? '';
}
