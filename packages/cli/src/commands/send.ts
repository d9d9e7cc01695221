import { READERS } from '@holdword/client/internal';
import { isConnectionError } from '@holdword/net/internal';
import { A2AError, type JsonObject, type SendMessageRequest } from '@holdword/protocol';
import { asObject, isObject } from '@holdword/protocol/internal';
import { CALL_OPTIONS, CONFIGURABLE_OPTIONS, STREAM_OPTION, WAIT_OPTIONS } from '../calling/call-options.ts';
import type { CalledAgent } from '../calling/called-agent.ts';
import { messageParts, PART_OPTIONS } from '../calling/message-parts.ts';
import { reportMisuse, runCall, type Call } from '../calling/run-call.ts';
import { answerText, eventText, field, taskText } from '../calling/task-text.ts';
import { adviseAfter, warnOfOutcome } from '../calling/task-advice.ts';
import { isSettled, waitForTask } from '../calling/wait-for-task.ts';
import type { Command } from '../command-line/command.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';

const DEFAULT_POLL_MILLISECONDS = 2_000;

const send: Command = {
  ...listed('send'),
  misused: reportMisuse,
  details:
    'Waits until the task has ended or asks something, and prints it. Ctrl-C ends the waiting, not the task. ' +
    'The exit code is 0 whatever became of the task; read its state.',
  options: {
    ...CALL_OPTIONS,
    ...PART_OPTIONS,
    ...STREAM_OPTION,
    async: {
      description: 'Print the task at once and do not wait',
      environment: 'A2ACLI_ASYNC',
      negatable: true,
    },
    ...WAIT_OPTIONS,
    'context-id': CONFIGURABLE_OPTIONS['context-id'] ?? { description: '' },
    'task-id': CONFIGURABLE_OPTIONS['task-id'] ?? { description: '' },
    'message-id': {
      value: 'ID',
      description: 'The id of the message, to send one again that may have arrived',
      default: 'a new one',
    },
    metadata: CONFIGURABLE_OPTIONS['metadata'] ?? { description: '' },
  },
  examples: [
    { comment: 'Ask and wait for the answer', command: 'holdword send -a localhost:4310 "echo hello"' },
    {
      comment: 'See the answer while it is made',
      command: 'holdword send -a localhost:4310 --stream "count 3"',
    },
    {
      comment: 'Send a file with a question',
      command: 'holdword send -a localhost:4310 "Summarize this" --file report.pdf',
    },
  ],
  page: 'guides/talk-to-an-agent.md',
  run: (input) =>
    runCall(input, async (call) => {
      const request = await requestOf(call);
      const agent = await call.open();
      const { taskId } = request.message;
      // Some agents answer with the task as it was before the message: its question would look like a new one.
      const answered =
        taskId === undefined
          ? undefined
          : await agent.call('getTask', { id: taskId, historyLength: 0 }, call.signal);
      call.progress.messageId = request.message.messageId;
      if (call.isStreaming && agent.streams) await sendStreaming(call, agent, request, answered);
      else await sendAndWait(call, agent, request, answered);
    }),
};

async function requestOf({ input, settings, isStreaming }: Call): Promise<SendMessageRequest> {
  if (settings.isOn('async') && isStreaming) {
    throw new UsageError('--async does not wait, and --stream does: use one of them.');
  }
  const [contextId, taskId] = [settings.text('context-id'), settings.text('task-id')];
  const metadata = settings.sourced('metadata').at(-1);
  return {
    message: {
      messageId: input.options['message-id'] ?? crypto.randomUUID(),
      role: 'ROLE_USER',
      parts: await messageParts(input),
      ...(contextId !== undefined && { contextId }),
      ...(taskId !== undefined && { taskId }),
    },
    ...(metadata !== undefined && { metadata: parseMetadata(metadata.value, metadata.source) }),
  };
}

function parseMetadata(text: string, source: string): JsonObject {
  try {
    const value: unknown = JSON.parse(text);
    if (isObject(value)) return value;
  } catch {
    // Told below.
  }
  throw new UsageError(`${source}: expected a JSON object, such as {"key": "value"}.`);
}

/** Sends without letting the agent wait, so that the task is known early, and then waits for it. */
async function sendAndWait(
  call: Call,
  agent: CalledAgent,
  request: SendMessageRequest,
  answered: unknown,
): Promise<void> {
  const { print, settings, isVerbose, isStreaming, diagnostics, progress } = call;
  const configuration = { returnImmediately: true };
  const answer = asObject(await agent.call('sendMessage', { ...request, configuration }, call.signal));
  READERS.sendResponse(answer);
  if (answer['message'] !== undefined) return print(answer, () => answerText(answer['message']));
  let task = answer['task'];
  const taskId = String(asObject(task)['id']);
  progress.taskId = taskId;
  if (!settings.isOn('async') && !isSettled(task, answered)) {
    diagnostics.tell(field('Task ID', taskId).trimEnd());
    if (isStreaming) print(answer, () => eventText(answer, { isVerbose }));
    task = await waitForTask(agent, taskId, { ...waitOptions(call), answered });
  }
  print({ ...answer, task }, () => taskText(task, { isVerbose }) + adviseAfter(agent, task));
  warnOfOutcome(diagnostics, task);
}

/** Prints events as they come. After a lost connection, the task is followed on. */
async function sendStreaming(
  call: Call,
  agent: CalledAgent,
  request: SendMessageRequest,
  answered: unknown,
): Promise<void> {
  const { print, isVerbose, diagnostics, progress } = call;
  let sequence: number | undefined;
  let last: unknown;
  const show = (json: unknown): void => print(json, () => eventText(json, { isVerbose }));
  try {
    for await (const { json, id } of agent.stream('sendStreamingMessage', request, { signal: call.signal })) {
      const event = asObject(json);
      const content = asObject(Object.values(event)[0]);
      const taskId = idOf(content);
      if (progress.taskId !== undefined && taskId !== undefined && taskId !== progress.taskId) {
        diagnostics.warn('The agent sent an event of another task, which is left out.');
        continue;
      }
      show(json);
      if (event['message'] !== undefined) return;
      if (taskId !== undefined) progress.taskId = taskId;
      if (id !== undefined && /^\d{1,15}$/.test(id)) sequence = Number(id);
      if (event['artifactUpdate'] === undefined) last = content;
      if (isSettled(content, answered)) break;
    }
  } catch (error) {
    if (progress.taskId === undefined || !isConnectionError(error)) throw error;
    diagnostics.tell('The connection was lost. The task is followed on.');
  }
  const { taskId } = progress;
  if (taskId === undefined) {
    throw new A2AError('INVALID_AGENT_RESPONSE', 'The agent ended the stream without an answer.');
  }
  const task = isSettled(last, answered)
    ? { id: taskId, contextId: asObject(last)['contextId'] ?? '', status: asObject(last)['status'] }
    : await waitForTask(agent, taskId, { ...waitOptions(call), answered, onEvent: show, sequence });
  if (!call.isJson) call.input.terminal.out(adviseAfter(agent, task));
  warnOfOutcome(diagnostics, task);
}

function idOf(content: Readonly<Record<string, unknown>>): string | undefined {
  const id = content['taskId'] ?? content['id'];
  return typeof id === 'string' ? id : undefined;
}

/** How a command waits for a task, by its options. */
export function waitOptions({ settings, signal }: Pick<Call, 'settings' | 'signal'>) {
  return { pollMilliseconds: settings.milliseconds('poll-interval', DEFAULT_POLL_MILLISECONDS), signal };
}

export const commands: readonly Command[] = [send];
