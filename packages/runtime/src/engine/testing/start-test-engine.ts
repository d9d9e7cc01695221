import type { Message } from '@holdword/protocol';
import { openMemoryStore, type Store, type TaskHeader } from '@holdword/store';
import { onTestFinished } from 'vitest';
import type { Executor } from '../../executors/executor.ts';
import type { Owner } from '../../owner.ts';
import type { Log } from '../../log.ts';
import { noopObserver } from '../../observe/observer.ts';
import { startEngine, type Engine, type EngineOptions } from '../engine.ts';
import type { StartedTurn, TurnInput } from '../turns.ts';

export const ME: Owner = { tenant: '', caller: 'me', authenticated: true };

/** Never fires. */
export const patient: AbortSignal = new AbortController().signal;

export interface TestEngine extends Engine {
  /** The log, one string per line. */
  readonly logged: string[];
}

/** An engine that stops with its test. It runs in memory unless a store is given. */
export async function startTestEngine(
  executor: Executor | Executor['execute'],
  options: Partial<EngineOptions> = {},
): Promise<TestEngine> {
  const logged: string[] = [];
  const engine = await startEngine({
    store: options.store ?? openMemoryStore(),
    executor: typeof executor === 'function' ? { execute: executor } : executor,
    log: collectingLog(logged),
    observer: noopObserver,
    includeSequence: true,
    maxConcurrentTurns: 100,
    maxQueuedTurns: 1_000,
    reservedPercent: 25,
    maxAttempts: 3,
    ...options,
  });
  onTestFinished(() => engine.stop(0));
  return { ...engine, logged };
}

export function collectingLog(lines: string[]): Log {
  const add = (message: string, fields?: Record<string, unknown>): void => {
    lines.push(`${message} ${JSON.stringify(fields ?? {})}`);
  };
  return { info: add, warn: add, error: add };
}

export function userMessage(text: string, more: Partial<Message> = {}): Message {
  return { messageId: `message ${text}`, role: 'ROLE_USER', parts: [{ text }], ...more };
}

export function turnInput(
  text: string,
  more: Partial<TurnInput> = {},
  message: Partial<Message> = {},
): TurnInput {
  return {
    owner: ME,
    message: userMessage(text, message),
    configuration: {},
    metadata: {},
    mayAnswerDirectly: false,
    ...more,
  };
}

/** Starts a task and returns its id. */
export async function beginTask(
  engine: Engine,
  text: string,
  message: Partial<Message> = {},
): Promise<string> {
  return taskIdOf(await engine.turns.begin(turnInput(text, {}, message)));
}

export function taskIdOf({ live }: StartedTurn): string {
  return live.taskId;
}

export async function headerOf(store: Store, taskId: string): Promise<TaskHeader> {
  const header = await store.readTask(taskId);
  if (header === undefined) throw new Error(`Expected task ${taskId} in the store.`);
  return header;
}
