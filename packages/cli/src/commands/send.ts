import { isConnectionError } from '@holdword/net/internal';
import type { JsonObject, SendMessageRequest } from '@holdword/protocol';
import { asObject, isObject } from '@holdword/protocol/internal';
import { CALL_OPTIONS, CONFIGURABLE_OPTIONS, STREAM_OPTION, WAIT_OPTIONS } from '../calling/call-options.ts';
import type { CalledAgent } from '../calling/called-agent.ts';
import { messageParts, PART_OPTIONS } from '../calling/message-parts.ts';
import { reportMisuse, runCall, type Call } from '../calling/run-call.ts';
import { answerText, eventText, field, stateOf, taskText } from '../calling/task-text.ts';
import { adviseAfter, resumeCommand, warnOfOutcome } from '../calling/task-advice.ts';
import { isSettled, waitForTask } from '../calling/wait-for-task.ts';
import type { Command } from '../command-line/command.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';

const DEFAULT_POLL_MILLISECONDS = 2_000;
const DEFAULT_TIMEOUT_MILLISECONDS = 600_000;

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
  run(input) {
    let following: { agent: CalledAgent; taskId: string } | undefined;
    return runCall(
      input,
      async (call) => {
        const request = await requestOf(call);
        const agent = await call.open();
        const onTask = (taskId: string): void => void (following = { agent, taskId });
        if (call.isStreaming && agent.streams) await sendStreaming(call, agent, request, onTask);
        else await sendAndWait(call, agent, request, onTask);
      },
      () =>
        following &&
        `Task ${following.taskId} goes on. Wait for it again: ${resumeCommand(following.agent, following.taskId)}`,
    );
  },
};

async function requestOf({ input, settings, isStreaming }: Call): Promise<SendMessageRequest> {
  if (settings.isOn('async') && isStreaming) {
    throw new UsageError('--async does not wait, and --stream does: use one of them.');
  }
  const [contextId, taskId] = [settings.text('context-id'), settings.text('task-id')];
  const metadata = settings.sourced('metadata').at(-1);
  return {
    message: {
      messageId: crypto.randomUUID(),
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
  onTask: (taskId: string) => void,
): Promise<void> {
  const { print, settings, isVerbose, isStreaming, diagnostics } = call;
  const answer = asObject(
    await agent.call('sendMessage', { ...request, configuration: { returnImmediately: true } }, call.signal),
  );
  if (answer['message'] !== undefined) return print(answer, () => answerText(answer['message']));
  let task = answer['task'];
  const taskId = String(asObject(task)['id']);
  if (!settings.isOn('async') && !isSettled(stateOf(task))) {
    onTask(taskId);
    diagnostics.tell(field('Task ID', taskId).trimEnd());
    if (isStreaming) print(answer, () => eventText(answer, { isVerbose }));
    task = await waitForTask(agent, taskId, waitOptions(call));
  }
  print({ ...answer, task }, () => taskText(task, { isVerbose }) + adviseAfter(agent, task));
  warnOfOutcome(diagnostics, task);
}

/** Prints events as they come. After a lost connection, the task is followed on. */
async function sendStreaming(
  call: Call,
  agent: CalledAgent,
  request: SendMessageRequest,
  onTask: (taskId: string) => void,
): Promise<void> {
  const { print, isVerbose, diagnostics } = call;
  let taskId: string | undefined;
  let sequence: number | undefined;
  let last: unknown;
  const show = (json: unknown): void => print(json, () => eventText(json, { isVerbose }));
  try {
    for await (const { json, id } of agent.stream('sendStreamingMessage', request, { signal: call.signal })) {
      show(json);
      if (id !== undefined && /^\d{1,15}$/.test(id)) sequence = Number(id);
      const event = asObject(json);
      if (event['message'] !== undefined) return;
      const content = asObject(Object.values(event)[0]);
      taskId ??= idOf(content);
      if (taskId !== undefined) onTask(taskId);
      if (event['artifactUpdate'] === undefined) last = content;
      if (isSettled(stateOf(content))) break;
    }
  } catch (error) {
    if (taskId === undefined || !isConnectionError(error)) throw error;
    diagnostics.tell('The connection was lost. The task is followed on.');
  }
  if (taskId === undefined) return;
  const task = isSettled(stateOf(last))
    ? { id: taskId, contextId: asObject(last)['contextId'] ?? '', status: asObject(last)['status'] }
    : await waitForTask(agent, taskId, { ...waitOptions(call), onEvent: show, sequence });
  if (!call.isJson) call.input.terminal.out(adviseAfter(agent, task));
  warnOfOutcome(diagnostics, task);
}

function idOf(content: Readonly<Record<string, unknown>>): string | undefined {
  const id = content['taskId'] ?? content['id'];
  return typeof id === 'string' ? id : undefined;
}

/** How a command waits for a task, by its options. */
export function waitOptions({ settings, signal }: Pick<Call, 'settings' | 'signal'>) {
  return {
    pollMilliseconds: settings.milliseconds('poll-interval', DEFAULT_POLL_MILLISECONDS),
    until: Date.now() + settings.milliseconds('timeout', DEFAULT_TIMEOUT_MILLISECONDS),
    signal,
  };
}

export const commands: readonly Command[] = [send];
