import { Role, TaskState, type Artifact, type Message, type Task, type TaskStatus } from '@a2a-js/sdk';
import {
  AgentEvent,
  type AgentExecutor,
  type ExecutionEventBus,
  type RequestContext,
} from '@a2a-js/sdk/server';
import { describe, expect, test } from 'vitest';
import { journalOutline, outline, readJournal } from '../engine/testing/read-journal.ts';
import {
  requestContext,
  readStream,
  send,
  sendForTask,
  startTestOperations,
  taskIn,
} from '../operations/testing/start-test-operations.ts';
import { sdkAgentExecutor } from './sdk-agent-executor.ts';

function agentMessage(text: string, more: Partial<Message> = {}): Message {
  return {
    messageId: `answer ${text}`,
    contextId: '',
    taskId: '',
    role: Role.ROLE_AGENT,
    parts: [{ content: { $case: 'text', value: text }, metadata: undefined, filename: '', mediaType: '' }],
    metadata: undefined,
    extensions: [],
    referenceTaskIds: [],
    ...more,
  };
}

function status(state: TaskState, text?: string): TaskStatus {
  return {
    state,
    message: text === undefined ? undefined : agentMessage(text),
    timestamp: new Date().toISOString(),
  };
}

function artifact(artifactId: string, text: string): Artifact {
  return {
    artifactId,
    name: artifactId,
    description: '',
    parts: agentMessage(text).parts,
    metadata: undefined,
    extensions: [],
  };
}

function taskOf(context: RequestContext, state: TaskState, more: Partial<Task> = {}): Task {
  return {
    id: context.taskId,
    contextId: context.contextId,
    status: status(state),
    artifacts: [],
    history: [context.userMessage],
    metadata: undefined,
    ...more,
  };
}

function textOf(context: RequestContext): string {
  const content = context.userMessage.parts[0]?.content;
  return content?.$case === 'text' ? content.value : '';
}

/** The agent of the SDK's guide: publish the task, a working status, an artifact and the end. */
class GuideAgent implements AgentExecutor {
  readonly contexts: RequestContext[] = [];

  async execute(context: RequestContext, eventBus: ExecutionEventBus): Promise<void> {
    this.contexts.push(context);
    const ids = { taskId: context.taskId, contextId: context.contextId, metadata: undefined };
    eventBus.publish(AgentEvent.task(context.task ?? taskOf(context, TaskState.TASK_STATE_SUBMITTED)));
    eventBus.publish(
      AgentEvent.statusUpdate({ ...ids, status: status(TaskState.TASK_STATE_WORKING, 'On it.') }),
    );
    if (textOf(context) === 'ask') {
      eventBus.publish(
        AgentEvent.statusUpdate({ ...ids, status: status(TaskState.TASK_STATE_INPUT_REQUIRED, 'Which?') }),
      );
      eventBus.finished();
      return;
    }
    for (const [index, word] of ['one', 'two'].entries()) {
      await Promise.resolve();
      eventBus.publish(
        AgentEvent.artifactUpdate({
          ...ids,
          artifact: artifact('words', word),
          append: index > 0,
          lastChunk: index === 1,
          metadata: { index },
        }),
      );
    }
    eventBus.publish(
      AgentEvent.statusUpdate({ ...ids, status: status(TaskState.TASK_STATE_COMPLETED, 'Done.') }),
    );
    eventBus.finished();
  }

  cancelTask = async (): Promise<void> => {};
}

/** An agent that answers with one message. */
const greeter: AgentExecutor = {
  execute: async (_context, eventBus) => {
    eventBus.publish(AgentEvent.message(agentMessage('Hello!', { metadata: { mood: 'good' } })));
    eventBus.finished();
  },
  cancelTask: async () => {},
};

/** An agent that works in steps and checks after each whether it was canceled. */
class PatientAgent implements AgentExecutor {
  readonly cancelled = new Set<string>();

  async execute(context: RequestContext, eventBus: ExecutionEventBus): Promise<void> {
    const ids = { taskId: context.taskId, contextId: context.contextId, metadata: undefined };
    eventBus.publish(AgentEvent.task(taskOf(context, TaskState.TASK_STATE_SUBMITTED)));
    eventBus.publish(AgentEvent.statusUpdate({ ...ids, status: status(TaskState.TASK_STATE_WORKING) }));
    while (!this.cancelled.has(context.taskId)) await new Promise(setImmediate);
    eventBus.publish(
      AgentEvent.statusUpdate({ ...ids, status: status(TaskState.TASK_STATE_CANCELED, 'As you wish.') }),
    );
    eventBus.finished();
  }

  cancelTask = async (taskId: string): Promise<void> => {
    this.cancelled.add(taskId);
  };
}

function agentThat(execute: AgentExecutor['execute']): AgentExecutor {
  return { execute, cancelTask: async () => {} };
}

describe('the agent of the guide', () => {
  test('runs to its end, with every event journaled in order', async () => {
    const { engine, operations } = await startTestOperations(
      sdkAgentExecutor(new GuideAgent(), { answersDirectly: false }),
    );
    const task = await sendForTask(operations, 'go');
    expect(await journalOutline(engine.store, task.id)).toEqual([
      'submitted',
      'working',
      'working On it.',
      'artifact words one',
      'artifact+ words two',
      'completed Done.',
    ]);
    expect(task).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED', message: { messageId: 'answer Done.', taskId: task.id } },
      artifacts: [{ artifactId: 'words', name: 'words', parts: [{ text: 'onetwo' }] }],
    });
    const events = await readJournal(engine.store, task.id);
    expect(events[4]).toMatchObject({
      artifactUpdate: { append: true, lastChunk: true, metadata: { index: 1 } },
    });
  });

  test('creates a task with its first event even if a direct answer was allowed', async () => {
    const { operations } = await startTestOperations(sdkAgentExecutor(new GuideAgent()));
    const { events } = await readStream(operations.sendStreamingMessage(send('go'), requestContext()));
    expect(outline(events)).toEqual([
      'submitted',
      'working',
      'working',
      'working On it.',
      'artifact words one',
      'artifact+ words two',
      'completed Done.',
    ]);
  });

  test('asks, and publishes the task again in the turn of the answer', async () => {
    const agent = new GuideAgent();
    const { engine, operations } = await startTestOperations(
      sdkAgentExecutor(agent, { answersDirectly: false }),
    );
    const asked = await sendForTask(operations, 'ask', { contextId: 'talk' });
    expect(asked.status).toMatchObject({
      state: 'TASK_STATE_INPUT_REQUIRED',
      message: { parts: [{ text: 'Which?' }] },
    });
    const done = await sendForTask(operations, 'this', { taskId: asked.id });
    expect(done.status.state).toBe('TASK_STATE_COMPLETED');
    expect((await journalOutline(engine.store, asked.id)).slice(3)).toEqual([
      'input-required Which?',
      'working',
      'working On it.',
      'artifact words one',
      'artifact+ words two',
      'completed Done.',
    ]);
    expect(agent.contexts.map(({ task }) => task?.history.length)).toEqual([undefined, 3]);
  });

  test('gets the request, the ids and the caller', async () => {
    const agent = new GuideAgent();
    const { operations } = await startTestOperations(sdkAgentExecutor(agent));
    const owner = { tenant: 'acme', caller: 'ann', authenticated: true };
    const request = send(
      'go',
      { parts: [{ text: 'go' }, { data: null }] },
      {
        metadata: { from: 'phone' },
        configuration: { historyLength: 2 },
      },
    );
    const task = taskIn(await operations.sendMessage(request, requestContext({ owner })));
    expect(agent.contexts[0]).toMatchObject({
      taskId: task.id,
      contextId: task.contextId,
      userMessage: {
        role: Role.ROLE_USER,
        taskId: task.id,
        parts: [{}, { content: { $case: 'data', value: null } }],
      },
      request: { metadata: { from: 'phone' }, configuration: { historyLength: 2 } },
      context: { tenant: 'acme', user: { isAuthenticated: true, userName: 'ann' }, requestedVersion: '1.0' },
    });
    expect(agent.contexts[0]?.task).toBeUndefined();
  });
});

describe('a message', () => {
  test('as the first event is the answer', async () => {
    const { operations } = await startTestOperations(sdkAgentExecutor(greeter));
    expect(await operations.sendMessage(send('hi', { contextId: 'talk' }), requestContext())).toEqual({
      message: {
        messageId: 'answer Hello!',
        role: 'ROLE_AGENT',
        contextId: 'talk',
        parts: [{ text: 'Hello!' }],
        metadata: { mood: 'good' },
      },
    });
    expect((await operations.listTasks({}, requestContext())).totalSize).toBe(0);
  });

  test('completes the task if the client wants one', async () => {
    const { operations } = await startTestOperations(sdkAgentExecutor(greeter));
    const answer = await operations.sendMessage(send('hi'), requestContext({ idempotencyKey: 'k' }));
    expect(taskIn(answer).status).toMatchObject({
      state: 'TASK_STATE_COMPLETED',
      message: { messageId: 'answer Hello!', metadata: { mood: 'good' } },
    });
  });

  test('after other output completes the task as well', async () => {
    const { operations } = await startTestOperations(
      sdkAgentExecutor(
        agentThat(async (context, eventBus) => {
          eventBus.publish(AgentEvent.task(taskOf(context, TaskState.TASK_STATE_WORKING)));
          eventBus.publish(AgentEvent.message(agentMessage('Done.')));
        }),
      ),
    );
    expect((await sendForTask(operations, 'go')).status).toMatchObject({
      state: 'TASK_STATE_COMPLETED',
      message: { parts: [{ text: 'Done.' }] },
    });
  });
});

describe('a task that the agent publishes whole', () => {
  test('adds its artifacts and its outcome, and nothing twice', async () => {
    const { engine, operations } = await startTestOperations(
      sdkAgentExecutor(
        agentThat(async (context, eventBus) => {
          const ids = { taskId: context.taskId, contextId: context.contextId, metadata: undefined };
          eventBus.publish(AgentEvent.task(taskOf(context, TaskState.TASK_STATE_SUBMITTED)));
          eventBus.publish(
            AgentEvent.artifactUpdate({
              ...ids,
              artifact: artifact('a', '1'),
              append: false,
              lastChunk: true,
            }),
          );
          eventBus.publish(
            AgentEvent.task(
              taskOf(context, TaskState.TASK_STATE_COMPLETED, {
                status: status(TaskState.TASK_STATE_COMPLETED, 'Done.'),
                artifacts: [artifact('a', '1'), artifact('b', '2')],
              }),
            ),
          );
        }),
        { answersDirectly: false },
      ),
    );
    const task = await sendForTask(operations, 'go');
    expect(await journalOutline(engine.store, task.id)).toEqual([
      'submitted',
      'working',
      'artifact a 1',
      'artifact b 2',
      'completed Done.',
    ]);
  });

  test('can be the only event', async () => {
    const { operations } = await startTestOperations(
      sdkAgentExecutor(
        agentThat(async (context, eventBus) => {
          const artifacts = [artifact('a', '1')];
          eventBus.publish(AgentEvent.task(taskOf(context, TaskState.TASK_STATE_COMPLETED, { artifacts })));
        }),
      ),
    );
    expect(await sendForTask(operations, 'go')).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED' },
      artifacts: [{ artifactId: 'a' }],
    });
  });

  test('with the state from before the turn does not end the turn', async () => {
    const { operations } = await startTestOperations(
      sdkAgentExecutor(
        agentThat(async (context, eventBus) => {
          if (context.task === undefined) {
            eventBus.publish(AgentEvent.task(taskOf(context, TaskState.TASK_STATE_SUBMITTED)));
            eventBus.publish(AgentEvent.task(taskOf(context, TaskState.TASK_STATE_INPUT_REQUIRED)));
            return;
          }
          eventBus.publish(AgentEvent.task(taskOf(context, TaskState.TASK_STATE_INPUT_REQUIRED)));
          eventBus.publish(AgentEvent.task(taskOf(context, TaskState.TASK_STATE_COMPLETED)));
        }),
      ),
    );
    const asked = await sendForTask(operations, 'go');
    expect(asked.status.state).toBe('TASK_STATE_INPUT_REQUIRED');
    expect((await sendForTask(operations, 'this', { taskId: asked.id })).status.state).toBe(
      'TASK_STATE_COMPLETED',
    );
  });
});

describe('canceling', () => {
  test('notifies the agent and writes one final state', async () => {
    const agent = new PatientAgent();
    const { engine, operations } = await startTestOperations(sdkAgentExecutor(agent));
    const configuration = { returnImmediately: true };
    const { id } = taskIn(await operations.sendMessage(send('go', {}, { configuration }), requestContext()));
    const cancelled = await operations.cancelTask({ id }, requestContext());
    expect(cancelled.status.state).toBe('TASK_STATE_CANCELED');
    await expect.poll(() => engine.turns.activity.running).toBe(0);
    expect(agent.cancelled).toEqual(new Set([id]));
    expect(await operations.getTask({ id }, requestContext())).toEqual(cancelled);
  });

  test('when the server stops journals the task as interrupted, not as canceled', async () => {
    const agent = new PatientAgent();
    const { engine, operations } = await startTestOperations(
      sdkAgentExecutor(agent, { answersDirectly: false }),
    );
    const configuration = { returnImmediately: true };
    const { id } = taskIn(await operations.sendMessage(send('go', {}, { configuration }), requestContext()));
    await engine.stop(1);
    expect(agent.cancelled).toEqual(new Set([id]));
    expect((await journalOutline(engine.store, id)).at(-1)).toMatch(/^failed Interrupted/);
  });

  test('does not wait for an agent that fails to cancel', async () => {
    const { promise: mayEnd, resolve: end } = Promise.withResolvers<void>();
    const { engine, operations } = await startTestOperations(
      sdkAgentExecutor(
        {
          execute: async () => mayEnd,
          cancelTask: () => {
            throw new Error('cannot');
          },
        },
        { answersDirectly: false },
      ),
    );
    const configuration = { returnImmediately: true };
    const { id } = taskIn(await operations.sendMessage(send('go', {}, { configuration }), requestContext()));
    expect((await operations.cancelTask({ id }, requestContext())).status.state).toBe('TASK_STATE_CANCELED');
    end();
    await expect.poll(() => engine.turns.activity.running).toBe(0);
  });

  test('an agent can end its own task as canceled', async () => {
    const { operations } = await startTestOperations(
      sdkAgentExecutor(
        agentThat(async (context, eventBus) => {
          eventBus.publish(AgentEvent.task(taskOf(context, TaskState.TASK_STATE_CANCELED)));
        }),
      ),
    );
    expect((await sendForTask(operations, 'go')).status.state).toBe('TASK_STATE_CANCELED');
  });
});

describe('a misbehaving agent', () => {
  test('that publishes a malformed event fails its task, without internal details', async () => {
    const { operations } = await startTestOperations(
      sdkAgentExecutor(
        agentThat(async (context, eventBus) => {
          const empty = { ...artifact('a', ''), parts: [] };
          const ids = { taskId: context.taskId, contextId: context.contextId, metadata: undefined };
          eventBus.publish(
            AgentEvent.artifactUpdate({ ...ids, artifact: empty, append: false, lastChunk: true }),
          );
        }),
      ),
    );
    expect((await sendForTask(operations, 'go')).status).toMatchObject({
      state: 'TASK_STATE_FAILED',
      message: { parts: [{ text: 'The agent published a malformed artifactUpdate event.' }] },
    });
  });

  test('that writes after a direct message changes nothing, and is logged', async () => {
    const { engine, operations } = await startTestOperations(
      sdkAgentExecutor(
        agentThat(async (context, eventBus) => {
          eventBus.publish(AgentEvent.message(agentMessage('Hello!')));
          const ids = { taskId: context.taskId, contextId: context.contextId, metadata: undefined };
          eventBus.publish(
            AgentEvent.artifactUpdate({
              ...ids,
              artifact: artifact('a', '1'),
              append: false,
              lastChunk: true,
            }),
          );
        }),
      ),
    );
    expect(await operations.sendMessage(send('hi'), requestContext())).toHaveProperty('message');
    await expect
      .poll(() => engine.logged.some((line) => line.includes('after its plain message')))
      .toBe(true);
    expect((await operations.listTasks({}, requestContext())).totalSize).toBe(0);
  });

  test('that throws fails its task without its message', async () => {
    const { operations } = await startTestOperations(
      sdkAgentExecutor(
        agentThat(async () => {
          throw new Error('secret');
        }),
      ),
    );
    const task = await sendForTask(operations, 'go');
    expect(task.status.state).toBe('TASK_STATE_FAILED');
    expect(JSON.stringify(task)).not.toContain('secret');
  });

  test('that returns without a final state completes its task', async () => {
    const { operations } = await startTestOperations(
      sdkAgentExecutor(
        agentThat(async (context, eventBus) => {
          eventBus.publish(AgentEvent.task(taskOf(context, TaskState.TASK_STATE_WORKING)));
        }),
      ),
    );
    expect((await sendForTask(operations, 'go')).status.state).toBe('TASK_STATE_COMPLETED');
  });
});

test('listeners on the bus get what is published, and its end', async () => {
  const heard: string[] = [];
  const { operations } = await startTestOperations(
    sdkAgentExecutor(
      agentThat(async (context, eventBus) => {
        eventBus.on('event', ({ kind }) => heard.push(kind));
        eventBus.on('finished', () => heard.push('finished'));
        eventBus.publish(AgentEvent.task(taskOf(context, TaskState.TASK_STATE_COMPLETED)));
      }),
    ),
  );
  await sendForTask(operations, 'go');
  await expect.poll(() => heard).toEqual(['task', 'finished']);
});

test('a card can be set', () => {
  const card = { name: 'Guide', description: 'Guides.' };
  expect(sdkAgentExecutor(greeter, { card }).card).toBe(card);
  expect(sdkAgentExecutor(greeter)).not.toHaveProperty('card');
});

test('what is not an agent of the SDK is rejected', () => {
  expect(() => sdkAgentExecutor({ execute: async () => {} } as unknown as AgentExecutor)).toThrow(
    'sdkAgentExecutor(agent): expected an AgentExecutor of @a2a-js/sdk, an object with execute and cancelTask',
  );
});
