import { READERS } from '@holdword/client/internal';
import type { JsonObject, SendMessageRequest } from '@holdword/protocol';
import { asObject, isObject } from '@holdword/protocol/internal';
import {
  CALL_OPTIONS,
  INTERACTIVE_OPTION,
  SEND_OPTIONS,
  STREAM_OPTION,
  WAIT_OPTIONS,
} from '../calling/call-options.ts';
import type { CalledAgent } from '../calling/called-agent.ts';
import { messageParts, PART_OPTIONS } from '../calling/message-parts.ts';
import { reportMisuse, runCall, waitOptions, type Call } from '../calling/run-call.ts';
import type { NewEvent } from '../calling/seen-task.ts';
import { sendAndFollow } from '../calling/send-and-follow.ts';
import { answerText, eventText, field, taskText } from '../calling/task-text.ts';
import { adviseAfter, warnOfOutcome } from '../calling/task-advice.ts';
import { isSettled, waitForTask } from '../calling/wait-for-task.ts';
import type { Command } from '../command-line/command.ts';
import type { InteractiveTerminal } from '../command-line/terminal.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';

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
    ...INTERACTIVE_OPTION,
    wait: {
      description: 'Wait, although A2ACLI_ASYNC or a file says not to; --no-wait is the same as --async',
      negatable: true,
    },
    ...WAIT_OPTIONS,
    ...SEND_OPTIONS,
    'message-id': {
      value: 'ID',
      description: 'The id of the message, to send one again that may have arrived',
      default: 'a new one',
    },
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
      const { interactive } = call.isJson ? {} : input.terminal;
      if (interactive !== undefined && call.settings.isOn('interactive')) {
        call.progress.messageId = request.message.messageId;
        return sendLive(call, agent, request, answered, interactive);
      }
      await sendRequest(call, agent, request, answered);
    }),
};

/** Sends a message and shows what comes of it, as the options say. */
export async function sendRequest(
  call: Call,
  agent: CalledAgent,
  request: SendMessageRequest,
  answered?: unknown,
): Promise<void> {
  call.progress.messageId = request.message.messageId;
  if (call.isStreaming) await sendStreaming(call, agent, request, answered);
  else await sendAndWait(call, agent, request, answered);
}

/** Whether to print the task and leave; an option wins over a variable or a file. */
function isAsync({ input, settings }: Call): boolean {
  const { wait } = input.options;
  return wait === undefined ? settings.isOn('async') : wait === 'false';
}

async function requestOf(call: Call): Promise<SendMessageRequest> {
  const { input, settings, isStreaming } = call;
  const { async: isAsyncGiven, wait } = input.options;
  if (isAsync(call) && isStreaming) {
    throw new UsageError('--async does not wait, and --stream does: use one of them.');
  }
  if (isAsyncGiven === 'true' && wait === 'true') {
    throw new UsageError('--async does not wait, and --wait does: use one of them.');
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
  const { print, isVerbose, diagnostics, progress } = call;
  const configuration = { returnImmediately: true };
  const answer = asObject(await agent.call('sendMessage', { ...request, configuration }, call.signal));
  READERS.sendResponse(answer);
  if (answer['message'] !== undefined) return print(answer, () => answerText(answer['message']));
  let task = answer['task'];
  const taskId = String(asObject(task)['id']);
  progress.taskId = taskId;
  if (!isAsync(call) && !isSettled(task, answered)) {
    diagnostics.tell(field('Task ID', taskId).trimEnd());
    task = await waitForTask(agent, taskId, { ...waitOptions(call), answered });
  }
  print({ ...answer, task }, () => taskText(task, { isVerbose }) + adviseAfter(agent, task));
  warnOfOutcome(diagnostics, task);
}

/** Prints events as they come. */
async function sendStreaming(
  call: Call,
  agent: CalledAgent,
  request: SendMessageRequest,
  answered: unknown,
): Promise<void> {
  const { diagnostics, progress } = call;
  const answer = await sendAndFollow(agent, request, {
    ...waitOptions(call),
    answered,
    progress,
    onEvent: (event) => showEvent(call, event),
    onConnection: (isLost) => {
      if (isLost) diagnostics.tell('The connection was lost. The task is followed on.');
    },
  });
  if ('message' in answer) return;
  if (!call.isJson) call.input.terminal.out(adviseAfter(agent, answer.task));
  warnOfOutcome(diagnostics, answer.task);
}

/** On a terminal: shows the task while it runs, and asks the user what the agent asks. */
async function sendLive(
  call: Call,
  agent: CalledAgent,
  { message, metadata }: SendMessageRequest,
  answered: unknown,
  terminal: InteractiveTerminal,
): Promise<void> {
  const { LiveConversation } = await import('../live/live-conversation.ts');
  const { contextId, taskId, parts } = message;
  using conversation = new LiveConversation(call, agent, terminal, { contextId, taskId, answered, metadata });
  await conversation.say(parts, message.messageId);
  conversation.leave();
}

/** Programs get an event as it was sent; people what is new in it. */
export function showEvent(
  { print, isVerbose }: Pick<Call, 'print' | 'isVerbose'>,
  { json, news }: NewEvent,
): void {
  print(json, () => news.map((each) => eventText(each, { isVerbose })).join(''));
}

export const commands: readonly Command[] = [send];
