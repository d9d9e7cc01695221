import { A2AError, FORK_EXTENSION, type Part } from '@holdword/protocol';
import { CALL_OPTIONS, STREAM_OPTION, WAIT_OPTIONS } from '../calling/call-options.ts';
import { messageParts, PART_OPTIONS } from '../calling/message-parts.ts';
import { reportMisuse, runCall } from '../calling/run-call.ts';
import type { Command, CommandInput } from '../command-line/command.ts';
import { UsageError } from '../usage-error.ts';
import { listed } from './command-list.ts';
import { sendRequest } from './send.ts';

const taskFork: Command = {
  ...listed('task fork'),
  misused: reportMisuse,
  details:
    'Starts a new task with the history and the artifacts that TASK had after event N, and sends it the message. Without a message the ' +
    'new task waits for one. TASK stays as it is. A task can be forked where it waited for its user or had ended; ' +
    '`holdword task show` shows where that was. The agent must have the fork extension.',
  options: {
    ...CALL_OPTIONS,
    at: { value: 'N', description: 'The last event that both tasks share' },
    message: { value: 'TEXT', description: 'The message with which the new task goes on', repeatable: true },
    file: PART_OPTIONS.file,
    data: PART_OPTIONS.data,
    'media-type': PART_OPTIONS['media-type'],
    ...STREAM_OPTION,
    async: { description: 'Print the new task at once and do not wait' },
    ...WAIT_OPTIONS,
    'context-id': { value: 'ID', description: 'The conversation of the new task', default: 'a new one' },
    'message-id': {
      value: 'ID',
      description: 'The id of the message, to send one again that may have arrived',
      default: 'a new one',
    },
  },
  examples: [
    {
      comment: 'Answer the question of event 4 differently',
      command:
        'holdword task fork 0198f3c2-6f1d-7a40-b0f4-3f1f2d0c7e11 -a localhost:4310 --at 4 --message "Blue"',
    },
  ],
  page: 'guides/record-and-replay.md',
  run: (input) =>
    runCall(input, async (call) => {
      const [taskId = ''] = input.operands;
      const at = readEvent(input.options['at']);
      const parts = await forkParts(input);
      const contextId = input.options['context-id'];
      const agent = await call.open();
      const declared = agent.found.card.capabilities.extensions ?? [];
      if (!declared.some(({ uri }) => uri === FORK_EXTENSION)) {
        throw new A2AError(
          'UNSUPPORTED_OPERATION',
          `The agent cannot fork tasks: its card does not declare ${FORK_EXTENSION}.`,
        );
      }
      await sendRequest(call, agent, {
        message: {
          messageId: input.options['message-id'] ?? crypto.randomUUID(),
          role: 'ROLE_USER',
          parts: parts ?? [{ text: 'fork' }],
          ...(contextId !== undefined && { contextId }),
        },
        metadata: { [FORK_EXTENSION]: { taskId, at, ...(parts === undefined && { start: false }) } },
      });
    }),
};

function readEvent(given: string | undefined): number {
  if (given === undefined) {
    throw new UsageError('At which event? Add --at N; see the events with: holdword task show TASK -a AGENT');
  }
  if (/^[1-9]\d{0,14}$/.test(given)) return Number(given);
  throw new UsageError(`--at: expected the number of an event, found "${given.slice(0, 40)}".`);
}

/** The parts of the message. Undefined without any. The operand is the task, not a text. */
async function forkParts({ given, workingFolder }: CommandInput): Promise<Part[] | undefined> {
  const own = given
    .filter(({ name }) => name !== undefined)
    .map((argument) => (argument.name === 'message' ? { ...argument, name: 'text' } : argument));
  const hasParts = own.some(({ name }) => ['text', 'file', 'data'].includes(name ?? ''));
  return hasParts ? messageParts({ given: own, workingFolder }) : undefined;
}

export const commands: readonly Command[] = [taskFork];
