import type {
  Message,
  SendMessageRequest,
  SendMessageResponse,
  StreamResponse,
  Task,
} from '@holdword/protocol';
import type { EngineOptions } from '../../engine/engine.ts';
import {
  ME,
  patient,
  startTestEngine,
  userMessage,
  type TestEngine,
} from '../../engine/testing/start-test-engine.ts';
import type { Executor } from '../../executors/executor.ts';
import { bindOperations } from '../bind-operations.ts';
import type { EventStream, Operations, RequestContext, StreamFrame } from '../operations.ts';

export interface TestOperations {
  readonly engine: TestEngine;
  readonly operations: Operations;
}

const AGENT = {
  name: 'Test agent',
  description: 'Does what a test needs.',
  defaultInputModes: ['text/plain', 'application/json'],
};

export async function startTestOperations(
  executor: Executor | Executor['execute'],
  options: Partial<EngineOptions> = {},
): Promise<TestOperations> {
  const engine = await startTestEngine(executor, options);
  return { engine, operations: bindOperations(engine, AGENT) };
}

export function requestContext(more: Partial<RequestContext> = {}): RequestContext {
  return { owner: ME, extensions: new Set(), signal: patient, ...more };
}

export function send(
  text: string,
  message: Partial<Message> = {},
  request: Partial<SendMessageRequest> = {},
): SendMessageRequest {
  return { message: userMessage(text, message), ...request };
}

export function taskIn(answer: SendMessageResponse): Task {
  if ('message' in answer) throw new Error('Expected a task, found a plain message.');
  return answer.task;
}

/** Sends and waits for the task's outcome. */
export async function sendForTask(
  operations: Operations,
  text: string,
  message: Partial<Message> = {},
): Promise<Task> {
  return taskIn(await operations.sendMessage(send(text, message), requestContext()));
}

/** All events of a stream until its end, with their cursors. */
export async function readStream(
  stream: EventStream | Promise<EventStream>,
): Promise<{ events: StreamResponse[]; sequences: (number | undefined)[]; json: string[] }> {
  const frames: StreamFrame[] = [];
  for await (const batch of await stream) frames.push(...batch);
  return {
    events: frames.map(({ json }) => JSON.parse(json) as StreamResponse),
    sequences: frames.map(({ sequence }) => sequence),
    json: frames.map(({ json }) => json),
  };
}
