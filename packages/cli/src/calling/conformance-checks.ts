import { READERS } from '@holdword/client/internal';
import {
  isA2AError,
  isTerminal,
  type A2AErrorCode,
  type ProtocolBinding,
  type SendMessageRequest,
  type TaskState,
} from '@holdword/protocol';
import {
  agentCardSchema,
  asObject,
  describeIssues,
  specErrorName,
  taskStateSchema,
} from '@holdword/protocol/internal';
import type { CalledAgent } from './called-agent.ts';
import { stateOf } from './task-text.ts';

/** What a check works with: one interface of an agent. */
export interface CheckContext {
  readonly agent: CalledAgent;
  /** The same interface, called with a version that does not exist. */
  readonly unknownVersion: CalledAgent;
  readonly binding: ProtocolBinding;
  readonly message: string;
  readonly signal: AbortSignal;
  /** What the agent answered to the first message, for the checks after it. */
  answer?: Readonly<Record<string, unknown>>;
}

export interface Check {
  readonly name: string;
  /** The section of the A2A specification. */
  readonly section: string;
  /** Rejects if the agent fails it, and with NotApplicable if it says nothing about this agent. */
  readonly run: (context: CheckContext) => Promise<void>;
}

export class NotApplicable extends Error {}

const NO_TASK = 'the agent answered with a message, without a task';
const NOBODY = 'holdword-conformance-no-such-task';

/** A smoke test of what every agent needs. It is not the official test suite (TCK), which has many times as many checks. */
export const CHECKS: readonly Check[] = [
  {
    name: 'the card follows the schema',
    section: '8',
    async run({ agent }) {
      const { error } = agentCardSchema.safeParse(agent.found.published);
      if (error !== undefined) throw new Error(describeIssues(error.issues, agent.found.published));
    },
  },
  {
    name: 'a message is answered with a task or a message',
    section: '3.1.1',
    async run(context) {
      const answer = asObject(await context.agent.call('sendMessage', messageOf(context), context.signal));
      READERS.sendResponse(answer);
      const kinds = ['task', 'message'].filter((kind) => answer[kind] !== undefined);
      if (kinds.length !== 1)
        throw new Error(`expected a task or a message, found ${kinds.join(' and ') || 'neither'}`);
      context.answer = answer;
    },
  },
  {
    name: 'a task has an id, a context and a known state',
    section: '4.1.1',
    async run({ answer }) {
      if (answer?.['task'] === undefined) throw new NotApplicable(NO_TASK);
      const { id, contextId } = asObject(answer['task']);
      if (typeof id !== 'string' || id === '') throw new Error('the task has no id');
      if (typeof contextId !== 'string' || contextId === '') throw new Error('the task has no contextId');
      const state = stateOf(answer['task']);
      if (!taskStateSchema.safeParse(state).success) throw new Error(`the state ${state} is not one of A2A`);
    },
  },
  {
    name: 'a task can be fetched',
    section: '3.1.3',
    async run({ agent, answer, signal }) {
      if (answer?.['task'] === undefined) throw new NotApplicable(NO_TASK);
      const { id } = asObject(answer['task']);
      const task = READERS.task(await agent.call('getTask', { id: String(id) }, signal));
      if (task.id !== id) throw new Error('the agent returned another task');
    },
  },
  {
    name: 'tasks are listed with their paging fields',
    section: '3.1.4',
    async run({ agent, signal }) {
      const page = asObject(await agent.call('listTasks', { pageSize: 1 }, signal));
      const { tasks, nextPageToken } = page;
      if (!Array.isArray(tasks) || tasks.length > 1)
        throw new Error('expected at most one task with pageSize 1');
      if (typeof nextPageToken !== 'string') throw new Error('nextPageToken is missing');
    },
  },
  {
    name: 'a task that does not exist is not found',
    section: '3.1.3',
    run: ({ agent, signal }) => expectError(agent.call('getTask', { id: NOBODY }, signal), 'TASK_NOT_FOUND'),
  },
  {
    name: 'a task that does not exist cannot be canceled',
    section: '3.1.5',
    run: ({ agent, signal }) =>
      expectError(agent.call('cancelTask', { id: NOBODY }, signal), 'TASK_NOT_FOUND'),
  },
  {
    name: 'a message without parts is rejected',
    section: '4.1.4',
    run: ({ agent, signal }) =>
      expectError(
        agent.call(
          'sendMessage',
          { message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [] } },
          signal,
        ),
        'INVALID_PARAMS',
      ),
  },
  {
    name: 'a message for a task that does not exist is rejected',
    section: '3.4.2',
    run: (context) => {
      const { message } = messageOf(context);
      const request = { message: { ...message, taskId: NOBODY } };
      return expectError(context.agent.call('sendMessage', request, context.signal), 'TASK_NOT_FOUND');
    },
  },
  {
    name: 'a version that does not exist is rejected',
    section: '3.6.2',
    run: ({ unknownVersion, signal }) =>
      expectError(unknownVersion.call('getTask', { id: NOBODY }, signal), 'VERSION_NOT_SUPPORTED'),
  },
  {
    name: 'a stream begins with the task or is one message, and ends with the task',
    section: '3.1.2',
    async run(context) {
      const { agent, signal } = context;
      if (!agent.streams) throw new NotApplicable('the card says that the agent does not stream');
      const kinds: string[] = [];
      let last: unknown;
      for await (const { json } of agent.stream('sendStreamingMessage', messageOf(context), { signal })) {
        READERS.events(json);
        const [[kind, content] = ['nothing', undefined]] = Object.entries(asObject(json));
        kinds.push(kind);
        if (kind !== 'artifactUpdate') last = content;
        // An agent may keep the stream open while it waits for its user.
        if (/INPUT|AUTH/.test(stateOf(content))) return;
      }
      const [first = 'nothing'] = kinds;
      if (first === 'message' && kinds.length === 1) return;
      if (first !== 'task') throw new Error(`the first event is ${first}`);
      if (!isTerminal(stateOf(last) as TaskState)) throw new Error('the stream ended before the task');
    },
  },
  {
    name: 'a task that has ended cannot be subscribed to',
    section: '3.1.6',
    async run({ agent, answer, signal }) {
      if (!agent.streams) throw new NotApplicable('the card says that the agent does not stream');
      if (!isTerminal(stateOf(answer?.['task']) as TaskState))
        throw new NotApplicable('the first task has not ended');
      const id = String(asObject(answer?.['task'])['id']);
      await expectError(
        firstOf(agent.stream('subscribeToTask', { id }, { signal })),
        'UNSUPPORTED_OPERATION',
      );
    },
  },
  {
    name: 'push notifications that the card does not offer are rejected',
    section: '3.1.7',
    async run({ agent, answer, signal }) {
      if (agent.found.card.capabilities.pushNotifications === true)
        throw new NotApplicable('the card offers them');
      const { id: taskId = NOBODY } = asObject(answer?.['task']);
      const request = { taskId: String(taskId), url: 'https://example.com/' };
      await expectError(
        agent.call('createTaskPushNotificationConfig', request, signal),
        'PUSH_NOTIFICATION_NOT_SUPPORTED',
      );
    },
  },
];

function messageOf({ message }: CheckContext): SendMessageRequest {
  return { message: { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text: message }] } };
}

async function firstOf(frames: AsyncIterable<unknown>): Promise<unknown> {
  for await (const frame of frames) return frame;
  return undefined;
}

async function expectError(answer: Promise<unknown>, code: A2AErrorCode): Promise<void> {
  const expected = specErrorName(code);
  try {
    await answer;
  } catch (error) {
    if (isA2AError(error) && error.code === code) return;
    const found = isA2AError(error)
      ? specErrorName(error.code)
      : error instanceof Error
        ? error.message
        : String(error);
    throw new Error(`expected ${expected}, found ${found}`, { cause: error });
  }
  throw new Error(`expected ${expected}, and the agent answered`);
}
