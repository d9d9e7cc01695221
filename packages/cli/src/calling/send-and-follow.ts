import { READERS, retryDelay } from '@holdword/client/internal';
import { isConnectionError } from '@holdword/net/internal';
import { A2AError, type SendMessageRequest } from '@holdword/protocol';
import { asObject, pause } from '@holdword/protocol/internal';
import type { CalledAgent } from './called-agent.ts';
import { SeenTask } from './seen-task.ts';
import type { Progress } from './task-advice.ts';
import { isSettled, waitForTask, type WaitOptions } from './wait-for-task.ts';

export interface SendOptions extends WaitOptions {
  readonly progress: Progress;
}

/** What became of a message. Of a task, at least the ids and the status are known. */
export type SendOutcome = { readonly message: unknown } | { readonly task: unknown };

/** So often a message is sent again to an agent that does it only once. */
const MOST_ATTEMPTS = 5;

/**
 * Sends a message and reports events as they come, until the task has ended or waits for its user. After a lost connection the
 * task is followed on; if none is known yet, the message is sent again where that does no harm.
 */
export async function sendAndFollow(
  agent: CalledAgent,
  request: SendMessageRequest,
  options: SendOptions,
): Promise<SendOutcome> {
  const { progress, signal, onConnection } = options;
  const seen = options.seen ?? new SeenTask(agent);
  let last: unknown;
  for (let failures = 0; last === undefined; failures += 1) {
    try {
      const outcome = await firstAnswer(agent, request, { ...options, seen });
      if ('message' in outcome) return outcome;
      last = outcome.task;
    } catch (error) {
      if (!isConnectionError(error)) throw error;
      const mayRepeat =
        progress.taskId !== undefined || (agent.recognizesMessages && failures + 1 < MOST_ATTEMPTS);
      if (!mayRepeat) throw error;
      onConnection?.(true);
      if (progress.taskId !== undefined) break;
      await pause(retryDelay(failures, error), signal);
      signal.throwIfAborted();
    }
  }
  const { taskId } = progress;
  if (taskId === undefined) {
    throw new A2AError('INVALID_AGENT_RESPONSE', 'The agent ended the stream without an answer.');
  }
  if (isSettled(last, options.answered)) return { task: { ...asObject(last), id: taskId } };
  return { task: await waitForTask(agent, taskId, { ...options, seen }) };
}

/** The stream of the message as far as it goes, or the task of an agent that does not stream. */
async function firstAnswer(
  agent: CalledAgent,
  request: SendMessageRequest,
  { signal, progress, onEvent, onConnection, seen, answered }: SendOptions & { seen: SeenTask },
): Promise<SendOutcome> {
  if (!agent.streams) {
    const json = asObject(
      await agent.call('sendMessage', { ...request, configuration: IMMEDIATELY }, signal),
    );
    READERS.sendResponse(json);
    const news = seen.take({ json });
    if (news !== undefined) onEvent?.(news);
    if (json['message'] !== undefined) return { message: json['message'] };
    progress.taskId = String(asObject(json['task'])['id']);
    return { task: json['task'] };
  }
  let last: unknown;
  for await (const frame of agent.stream('sendStreamingMessage', request, { signal })) {
    onConnection?.(false);
    const event = asObject(frame.json);
    const content = asObject(Object.values(event)[0]);
    const taskId = idOf(content);
    const news = seen.take(frame);
    if (news !== undefined) onEvent?.(news);
    if (event['message'] !== undefined) return { message: event['message'] };
    if (taskId !== undefined) progress.taskId = taskId;
    if (event['artifactUpdate'] === undefined) last = content;
    if (isSettled(content, answered)) break;
  }
  return { task: last ?? {} };
}

const IMMEDIATELY = { returnImmediately: true };

function idOf(content: Readonly<Record<string, unknown>>): string | undefined {
  const id = content['taskId'] ?? content['id'];
  return typeof id === 'string' ? id : undefined;
}
