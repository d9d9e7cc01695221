import { basename } from 'node:path';
import { createInterface } from 'node:readline';
import type { Part } from '@holdword/protocol';
import { isInterrupted, type TaskState } from '@holdword/protocol';
import { asObject } from '@holdword/protocol/internal';
import { CALL_OPTIONS, SEND_OPTIONS, WAIT_OPTIONS } from '../calling/call-options.ts';
import type { CalledAgent } from '../calling/called-agent.ts';
import { messageParts } from '../calling/message-parts.ts';
import { jsonText, reportMisuse, runCall, waitOptions, type Call } from '../calling/run-call.ts';
import { sendAndFollow } from '../calling/send-and-follow.ts';
import { adviseAfter } from '../calling/task-advice.ts';
import { answerText, stateOf, taskText, withoutControls } from '../calling/task-text.ts';
import type { Command } from '../command-line/command.ts';
import type { InteractiveTerminal } from '../command-line/terminal.ts';
import { LiveConversation } from '../live/live-conversation.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';

const HELP = `  /file PATH  send a file with the next message
  /new        begin a new conversation
  /quit       leave, as Ctrl-D does
  Ctrl-C      while a task runs: cancel it, or detach from it
`;

const chat: Command = {
  ...listed('chat'),
  misused: reportMisuse,
  details:
    'Shows tasks while they run and asks you what the agent asks. Without a terminal, every line of stdin is a message, and results ' +
    'are printed as send prints them; with -o json, one per line.',
  options: {
    ...CALL_OPTIONS,
    ...WAIT_OPTIONS,
    'context-id': { ...SEND_OPTIONS['context-id'], description: 'The conversation to continue' },
    'task-id': { ...SEND_OPTIONS['task-id'], description: 'The task that the first message answers' },
  },
  examples: [
    { comment: 'Talk with an agent', command: 'holdword chat -a localhost:4310' },
    {
      comment: 'Send two messages of one conversation',
      command: "printf 'hello\\nask me\\n' | holdword chat -a localhost:4310",
    },
  ],
  page: 'guides/talk-to-an-agent.md',
  run: (input) =>
    runCall(
      input,
      async (call) => {
        const { interactive } = call.isJson ? {} : input.terminal;
        if (interactive === undefined && process.stdin.isTTY) {
          throw new UsageError(
            'chat needs a terminal for its output. Pipe messages to it, or use holdword send.',
          );
        }
        const agent = await call.open();
        if (interactive === undefined) await chatByLines(call, agent);
        else await chatLive(call, agent, interactive);
      },
      { isOpenEnded: true },
    ),
};

async function chatLive(call: Call, agent: CalledAgent, terminal: InteractiveTerminal): Promise<void> {
  using conversation = new LiveConversation(call, agent, terminal, {
    contextId: call.settings.text('context-id'),
    taskId: call.settings.text('task-id'),
  });
  const { screen, keyboard } = conversation;
  const { name } = agent.found.card;
  screen.print(
    `${screen.style('bold', withoutControls(name))}  ${screen.style('dim', '/help lists commands, Ctrl-D leaves')}\n`,
  );
  let attached: Part[] = [];
  let interrupts = 0;
  for (;;) {
    const typed = await keyboard.ask(conversation.isAsked ? 'reply> ' : '> ');
    if ('key' in typed) {
      interrupts += 1;
      if (typed.key === 'end' || interrupts > 1) break;
      screen.print('Press Ctrl-C again or Ctrl-D to leave.\n');
      continue;
    }
    interrupts = 0;
    const line = typed.line.trim();
    if (line === '/quit' || line === '/exit') break;
    if (line === '') continue;
    if (line.startsWith('/')) {
      attached = await runCommand(line, attached, call, conversation);
      continue;
    }
    try {
      const outcome = await conversation.say([...attached, { text: typed.line }]);
      attached = [];
      if (outcome === 'detached') return;
    } catch (error) {
      call.signal.throwIfAborted();
      conversation.showFailure(error);
    }
  }
  conversation.leave();
}

async function runCommand(
  line: string,
  attached: Part[],
  { input: { workingFolder } }: Call,
  conversation: LiveConversation,
): Promise<Part[]> {
  const [, command = '', rest = ''] = /^\/(\w*) *(.*)$/.exec(line) ?? [];
  const { screen } = conversation;
  if (command === 'new') {
    conversation.startOver();
    screen.print('A new conversation.\n');
    return [];
  }
  if (command === 'file' && rest !== '') {
    try {
      const parts = await messageParts({ given: [{ name: 'file', value: rest }], workingFolder });
      screen.print(`Goes with the next message: ${basename(rest)}\n`);
      return [...attached, ...parts];
    } catch (error) {
      screen.print(`${error instanceof Error ? error.message : String(error)}\n`);
      return attached;
    }
  }
  screen.print(command === 'help' ? HELP : `There is no command ${withoutControls(line)}.\n${HELP}`);
  return attached;
}

/** Without a terminal: a message per line, a result per message. Nobody is asked; the next line is the answer. */
async function chatByLines(call: Call, agent: CalledAgent): Promise<void> {
  const { isJson, isVerbose, progress, settings, input } = call;
  let contextId = settings.text('context-id');
  let taskId = settings.text('task-id');
  let answered: unknown;
  for await (const line of createInterface({ input: process.stdin })) {
    if (line.trim() === '') continue;
    const messageId = crypto.randomUUID();
    progress.messageId = messageId;
    progress.taskId = taskId;
    const message = {
      messageId,
      role: 'ROLE_USER' as const,
      parts: [{ text: line }],
      ...(contextId !== undefined && { contextId }),
      ...(taskId !== undefined && { taskId }),
    };
    const outcome = await sendAndFollow(agent, { message }, { ...waitOptions(call), progress, answered });
    const content = asObject('message' in outcome ? outcome.message : outcome.task);
    if (typeof content['contextId'] === 'string' && content['contextId'] !== '')
      ({ contextId } = content as { contextId: string });
    const isAsking = 'task' in outcome && isInterrupted(stateOf(content) as TaskState);
    taskId = isAsking ? String(content['id']) : undefined;
    // Without events, the whole task was fetched.
    const task = 'task' in outcome ? await wholeTask(agent, String(content['id']), call) : undefined;
    answered = isAsking ? task : undefined;
    const result = task === undefined ? outcome : { task };
    const text = (): string =>
      task === undefined
        ? answerText(content)
        : `${taskText(task, { isVerbose })}${adviseAfter(agent, task)}\n`;
    input.terminal.out(isJson ? jsonText(result, true) : text());
  }
}

function wholeTask(agent: CalledAgent, id: string, { signal }: Call): Promise<unknown> {
  return agent.call('getTask', { id }, signal);
}

export const commands: readonly Command[] = [chat];
