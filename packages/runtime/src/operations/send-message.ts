import type { SendMessageRequest, SendMessageResponse, Task } from '@holdword/protocol';
import type { AgentDescription } from '../agent-description.ts';
import type { Engine } from '../engine/engine.ts';
import { beginTurn } from './begin-turn.ts';
import type { RequestContext } from './request-context.ts';
import { taskNotFound } from './visible-task.ts';

/** Sends a message and returns when the task has ended or waits for its user; immediately with `returnImmediately`. */
export async function sendMessage(
  engine: Engine,
  agent: AgentDescription,
  request: SendMessageRequest,
  context: RequestContext,
): Promise<SendMessageResponse> {
  const begun = await beginTurn(engine, agent, request, context);
  if ('message' in begun) return { message: begun.message };
  const { returnImmediately = false, historyLength } = request.configuration ?? {};
  if ('existingTaskId' in begun) {
    if (!returnImmediately) await engine.reader.settled(begun.existingTaskId, context.signal);
    return { task: await currentTask(engine, begun.existingTaskId, historyLength) };
  }
  const { live } = begun;
  // The signal is created on first use, and most short turns have ended by now.
  if (!returnImmediately && !live.isSettled) await engine.reader.settled(live.taskId, context.signal, live);
  const here = returnImmediately || live.isSettled ? live.committed : undefined;
  return { task: here?.toTask(historyLength) ?? (await currentTask(engine, live.taskId, historyLength)) };
}

async function currentTask(engine: Engine, taskId: string, historyLength: number | undefined): Promise<Task> {
  const current = await engine.reader.current(taskId, historyLength);
  if (current === undefined) throw taskNotFound(taskId);
  return current.task;
}
