import { describe, expect, test } from 'vitest';
import { openTool, openToolFor, text } from './testing/open-tool.ts';
import { startPeer, type Peer, type PeerAnswer, type PeerRequest } from '@holdword/client/testing';

/* The examples of the contract that users of the tool rely on: each request and its result. */

const HANDLE = expect.stringMatching(/^rah_[0-9a-f-]{36}$/) as string;

function targetOf(peer: Peer): object {
  return {
    target_url: peer.url,
    card_path: '/.well-known/agent-card.json',
    preferred_transports: ['JSONRPC', 'HTTP+JSON'],
    target_alias: 'support',
  };
}

const COMPLETED_TASK = {
  task_id: 'task-456',
  status: 'completed',
  can_resume_send: false,
  can_send: false,
  can_status: true,
  can_cancel: false,
  can_watch: false,
};
const CONVERSATION = { context_id: 'ctx-456', can_send: true };

function message(content: string, fields: object = {}): object {
  return { kind: 'message', messageId: 'm-1', role: 'agent', parts: text(content), ...fields };
}

function task(state: string, fields: object = {}): object {
  return { kind: 'task', id: 'task-456', contextId: 'ctx-456', status: { state }, ...fields };
}

const messageOf = ({ params }: PeerRequest): unknown => params['message'];

test('discover available targets', async () => {
  const skill = {
    id: 'triage',
    name: 'Incident Triage',
    description: 'Summarize incidents and propose next actions.',
    tags: ['support'],
    examples: ['Summarize this incident and propose next steps.'],
    inputModes: ['application/json'],
    outputModes: ['application/pdf'],
  };
  const peer = await startPeer();
  const { origin } = new URL(peer.url);
  const card = await startPeer({
    port: 0,
    card: {
      url: `${origin}/a2a/jsonrpc`,
      additionalInterfaces: [
        { transport: 'JSONRPC', url: `${origin}/a2a/jsonrpc` },
        { transport: 'HTTP+JSON', url: `${origin}/a2a/rest` },
      ],
      capabilities: { streaming: true, pushNotifications: true, stateTransitionHistory: true },
      skills: [skill],
    },
  });
  const tool = openTool({
    targets: [
      {
        alias: 'support',
        baseUrl: card.url.slice(0, -1),
        description: 'Primary support lane',
        tags: ['support'],
        examples: ['Summarize this incident and propose next steps.'],
        default: true,
      },
    ],
  });
  const interfaces = [
    { transport: 'JSONRPC', url: `${origin}/a2a/jsonrpc` },
    { transport: 'HTTP+JSON', url: `${origin}/a2a/rest` },
  ];
  const { inputModes, outputModes, ...plainSkill } = skill;
  expect(await tool.call({ action: 'list_targets' })).toEqual({
    ok: true,
    operation: 'remote_agent',
    action: 'list_targets',
    summary: {
      targets: [
        {
          target_alias: 'support',
          target_url: card.url,
          default: true,
          tags: ['support'],
          examples: ['Summarize this incident and propose next steps.'],
          target_name: 'Support Agent',
          description: 'Primary support lane',
          peer_card: {
            preferred_transport: 'JSONRPC',
            additional_interfaces: interfaces,
            capabilities: { streaming: true, push_notifications: true, state_transition_history: true },
            default_input_modes: ['text/plain'],
            default_output_modes: ['text/plain'],
            skills: [{ ...plainSkill, input_modes: inputModes, output_modes: outputModes }],
          },
        },
      ],
    },
    raw: [
      {
        target: {
          baseUrl: card.url,
          cardPath: '/.well-known/agent-card.json',
          preferredTransports: ['JSONRPC', 'HTTP+JSON'],
          alias: 'support',
          displayName: 'Support Agent',
          description: 'Primary support lane',
          streamingSupported: true,
        },
        configuredDescription: 'Primary support lane',
        default: true,
        tags: ['support'],
        examples: ['Summarize this incident and propose next steps.'],
        card: {
          displayName: 'Support Agent',
          description: 'Summarize incidents and propose next actions.',
          preferredTransport: 'JSONRPC',
          additionalInterfaces: interfaces,
          capabilities: { streaming: true, pushNotifications: true, stateTransitionHistory: true },
          defaultInputModes: ['text/plain'],
          defaultOutputModes: ['text/plain'],
          skills: [skill],
          lastRefreshedAt: expect.stringMatching(/^\d{4}-.*Z$/) as string,
        },
      },
    ],
  });
});

test('send to an explicit target_alias', async () => {
  const content = 'Triage summary: reproduce, collect logs, and notify the on-call engineer.';
  const peer = await startPeer({ answer: () => ({ result: message(content) }) });
  const result = await openToolFor(peer.url).call({
    action: 'send',
    target_alias: 'support',
    parts: text('Summarize this bug report for triage.'),
    metadata: { ticket_id: 'INC-42' },
  });
  expect(result).toEqual({
    ok: true,
    operation: 'remote_agent',
    action: 'send',
    summary: {
      target_alias: 'support',
      target_url: peer.url,
      response_kind: 'message',
      message_text: content,
    },
    raw: message(content),
  });
  expect(peer.calls).toMatchObject([
    {
      method: 'message/stream',
      params: {
        message: { role: 'user', parts: text('Summarize this bug report for triage.') },
        metadata: { ticket_id: 'INC-42' },
      },
    },
  ]);
  expect(peer.calls[0]?.params).not.toHaveProperty('configuration.acceptedOutputModes');
});

test('require a durable task', async () => {
  const peer = await startPeer({ answer: () => ({ result: task('submitted') }) });
  const result = await openToolFor(peer.url).call({
    action: 'send',
    target_alias: 'support',
    task_requirement: 'required',
    parts: text('Start a trackable task and return immediately.'),
  });
  expect(peer.calls[0]?.params).toMatchObject({ configuration: { blocking: false } });
  expect(result.summary).toMatchObject({
    response_kind: 'task',
    continuation: {
      task: {
        task_handle: HANDLE,
        task_id: 'task-456',
        status: 'submitted',
        can_watch: true,
        can_cancel: true,
      },
    },
  });
});

test('start related work without continuing a task', async () => {
  const peer = await startPeer({ answer: () => ({ result: task('submitted') }) });
  await openToolFor(peer.url).call({
    action: 'send',
    target_alias: 'support',
    context_id: 'ctx-123',
    reference_task_ids: ['task-101', 'task-102'],
    parts: text('Start a related task in the same conversation.'),
  });
  const sent = messageOf(peer.calls[0] as PeerRequest);
  expect(sent).toMatchObject({ contextId: 'ctx-123', referenceTaskIds: ['task-101', 'task-102'] });
  expect(sent).not.toHaveProperty('taskId');
});

test('send using the configured default target', async () => {
  const final = {
    kind: 'status-update',
    taskId: 'task-456',
    contextId: 'ctx-456',
    status: { state: 'completed' },
    final: true,
  };
  const peer = await startPeer({ answer: () => ({ events: [task('submitted'), final] }) });
  const result = await openToolFor(peer.url).call({
    action: 'send',
    parts: text('Draft a reply to the customer update.'),
    follow_updates: true,
  });
  expect(peer.calls.map(({ method }) => method)).toEqual(['message/stream']);
  expect(result).toEqual({
    ok: true,
    operation: 'remote_agent',
    action: 'send',
    summary: {
      target_alias: 'support',
      target_url: peer.url,
      response_kind: 'task',
      continuation: {
        target: targetOf(peer),
        task: { task_handle: HANDLE, ...COMPLETED_TASK },
        conversation: CONVERSATION,
      },
    },
    raw: { events: [task('submitted'), final], finalEvent: final },
  });
});

function answer({ method }: PeerRequest): PeerAnswer {
  return { result: task(method === 'tasks/cancel' ? 'canceled' : 'completed') };
}

/** Sends to a task in this state, and again after it has ended: its agent then rejects the message. */
async function startEnding(state: string, fields: object = {}) {
  let ended = false;
  const peer = await startPeer({
    answer: (call): PeerAnswer => {
      if (!ended) return { result: task(state, fields) };
      if (call.method === 'tasks/get') return { result: task('completed', fields) };
      return Object.hasOwn(messageOf(call) as object, 'taskId')
        ? { error: { code: -32600, message: 'Task task-456 is in a terminal state.' } }
        : { result: task('working', { ...fields, id: 'task-457' }) };
    },
  });
  const tool = openToolFor(peer.url);
  const { summary } = await tool.call({ action: 'send', blocking: false, parts: text('begin') });
  ended = true;
  const { continuation } = summary;
  const result = await tool.call({ action: 'send', continuation, parts: text('And now?') });
  return { peer, result };
}

describe('a persisted continuation', () => {
  const unknownHandle = 'rah_0a3ff8c2-4a6d-48cb-a57d-4ae6f3c589d0';

  test.each([
    ['with its task_handle', { task_handle: unknownHandle, task_id: 'task-456' }],
    ['with its task_id', { task_id: 'task-456' }],
  ])('continues an existing remote task %s', async (_name, keptTask) => {
    const peer = await startPeer({ answer });
    const result = await openToolFor(peer.url).call({
      action: 'send',
      continuation: { target: targetOf(peer), task: keptTask, conversation: CONVERSATION },
      parts: text('Approved. Continue with the task and finish the reply.'),
    });
    expect(messageOf(peer.calls[0] as PeerRequest)).toMatchObject({
      taskId: 'task-456',
      contextId: 'ctx-456',
    });
    expect(result).toMatchObject({ ok: true, summary: { continuation: { task: COMPLETED_TASK } } });
  });

  test.each([
    ['', CONVERSATION],
    [' without can_send', { context_id: 'ctx-456' }],
  ])('starts a new task in an existing conversation%s', async (_name, conversation) => {
    const content = 'Conversation continued. Start the next task when ready.';
    // The agent need not repeat the conversation.
    const peer = await startPeer({ answer: () => ({ result: message(content) }) });
    const result = await openToolFor(peer.url).call({
      action: 'send',
      continuation: { target: targetOf(peer), conversation },
      parts: text('Start a new side task, but keep it in the same conversation.'),
    });
    expect(messageOf(peer.calls[0] as PeerRequest)).not.toHaveProperty('taskId');
    expect(result.summary).toEqual({
      target_alias: 'support',
      target_url: peer.url,
      response_kind: 'message',
      message_text: content,
      continuation: { target: targetOf(peer), conversation: CONVERSATION },
    });
  });

  test('checks the status of its task', async () => {
    const peer = await startPeer({ answer });
    const result = await openToolFor(peer.url).call({
      action: 'status',
      continuation: {
        target: targetOf(peer),
        task: { task_handle: unknownHandle, task_id: 'task-456' },
        conversation: CONVERSATION,
      },
      history_length: 2,
    });
    expect(peer.calls).toMatchObject([{ method: 'tasks/get', params: { id: 'task-456', historyLength: 2 } }]);
    expect(result).toEqual({
      ok: true,
      operation: 'remote_agent',
      action: 'status',
      summary: {
        target_alias: 'support',
        target_url: peer.url,
        response_kind: 'task',
        continuation: {
          target: targetOf(peer),
          task: { task_handle: HANDLE, ...COMPLETED_TASK },
          conversation: CONVERSATION,
        },
      },
      raw: task('completed'),
    });
  });

  test.each([
    ['watch', ['tasks/get'], 'completed'],
    ['cancel', ['tasks/cancel'], 'canceled'],
  ])('is followed up with %s', async (action, methods, status) => {
    const peer = await startPeer({ answer });
    const result = await openToolFor(peer.url).call({
      action,
      continuation: { target: targetOf(peer), task: { task_handle: unknownHandle, task_id: 'task-456' } },
    });
    expect(peer.calls.map(({ method }) => method)).toEqual(methods);
    expect(result).toMatchObject({ ok: true, action, summary: { continuation: { task: { status } } } });
  });

  test('from a result can be passed back unchanged, repeatedly', async () => {
    const peer = await startPeer({ answer: () => ({ result: task('input-required') }) });
    const tool = openToolFor(peer.url);
    const first = await tool.call({ action: 'send', parts: text('begin') });
    const { continuation } = first.summary;
    const second = await tool.call({ action: 'send', continuation, parts: text('continue') });
    expect(second.summary.continuation).toEqual(continuation);
    expect(await tool.call({ action: 'status', continuation })).toMatchObject({ ok: true });
  });

  test('of a task that has ended starts the next task of its conversation', async () => {
    const peer = await startPeer({ answer: () => ({ result: task('completed') }) });
    const tool = openToolFor(peer.url);
    const { summary } = await tool.call({ action: 'send', parts: text('begin') });
    const { continuation } = summary;
    await tool.call({ action: 'send', continuation, parts: text('and now?') });
    await openToolFor(peer.url).call({ action: 'send', continuation, parts: text('after a restart') });
    const handle = continuation?.task?.task_handle;
    await tool.call({ action: 'send', task_handle: handle, parts: text('by its handle') });
    for (const call of peer.calls.slice(1)) {
      expect(messageOf(call)).toMatchObject({ contextId: 'ctx-456' });
      expect(messageOf(call)).not.toHaveProperty('taskId');
    }
    expect(peer.calls).toHaveLength(4);
  });

  test('of a task that has ended starts a new one if the agent has no conversations', async () => {
    const peer = await startPeer({ answer: () => ({ result: task('completed', { contextId: undefined }) }) });
    const tool = openToolFor(peer.url);
    const { summary } = await tool.call({ action: 'send', parts: text('begin') });
    const { continuation } = summary;
    await tool.call({ action: 'send', continuation, parts: text('and now?') });
    await openToolFor(peer.url).call({ action: 'send', continuation, parts: text('after a restart') });
    expect(peer.calls).toHaveLength(3);
    for (const call of peer.calls) expect(messageOf(call)).not.toHaveProperty('taskId');
  });

  describe('of a task that has ended meanwhile', () => {
    test('starts a new one if the agent has no conversations', async () => {
      const { peer, result } = await startEnding('working', { contextId: undefined });
      expect(result.summary).toMatchObject({ continuation: { task: { task_id: 'task-457' } } });
      const sent = messageOf(peer.calls.at(-1) as PeerRequest);
      expect(sent).toMatchObject({ parts: text('And now?') });
      expect(sent).not.toHaveProperty('taskId');
    });

    test('starts the next task of its conversation', async () => {
      const { peer, result } = await startEnding('working');
      expect(result.summary).toMatchObject({
        continuation: { task: { task_id: 'task-457' }, conversation: CONVERSATION },
      });
      const sent = messageOf(peer.calls.at(-1) as PeerRequest);
      expect(sent).toMatchObject({ contextId: 'ctx-456', parts: text('And now?') });
      expect(sent).not.toHaveProperty('taskId');
    });

    test('fails if the message names the task by its id', async () => {
      const { peer } = await startEnding('working');
      const { error } = await openToolFor(peer.url).call({
        action: 'send',
        task_id: 'task-456',
        parts: text('More.'),
      });
      expect(error.details).toMatchObject({ hint: expect.stringContaining('The task has ended') as string });
    });

    test('fails if the message answers a question', async () => {
      const { result } = await startEnding('input-required');
      expect(result.error.details).toMatchObject({
        suggested_action: 'status',
        hint: expect.stringContaining('The task has ended') as string,
      });
    });

    test.each([
      ['canceled', 'continuation'],
      ['canceled', 'handle'],
      ['completed', 'continuation'],
    ])('fails if the message answers a question and the task is known to be %s, by %s', async (end, by) => {
      const peer = await startPeer({
        answer: ({ method }) => ({ result: task(method === 'message/send' ? 'input-required' : end) }),
      });
      const tool = openToolFor(peer.url);
      const { summary } = await tool.call({ action: 'send', blocking: false, parts: text('begin') });
      const { continuation } = summary;
      await tool.call({ action: end === 'canceled' ? 'cancel' : 'status', continuation });
      const before = peer.calls.length;
      const named = by === 'handle' ? { task_handle: continuation?.task?.task_handle } : { continuation };
      const { ok, error } = await tool.call({ action: 'send', ...named, parts: text('Bob') });
      expect({ ok, ...error }).toMatchObject({
        ok: false,
        code: 'A2A_SDK_ERROR',
        details: {
          suggested_action: 'status',
          hint: expect.stringContaining('The task has ended') as string,
          continuation: { task: { status: end } },
        },
      });
      expect(peer.calls).toHaveLength(before);
    });

    test('starts the next task by its handle once its question was answered', async () => {
      const peer = await startPeer({
        answer: () => ({ result: task(peer.calls.length === 1 ? 'input-required' : 'completed') }),
      });
      const tool = openToolFor(peer.url);
      const { summary } = await tool.call({ action: 'send', blocking: false, parts: text('begin') });
      const named = { task_handle: summary.continuation?.task?.task_handle };
      await tool.call({ action: 'send', ...named, blocking: false, parts: text('Ann') });
      expect(await tool.call({ action: 'send', ...named, parts: text('More.') })).toMatchObject({ ok: true });
      expect(messageOf(peer.calls.at(-1) as PeerRequest)).not.toHaveProperty('taskId');
    });
  });
});

test('the flat context_id is kept if the agent does not repeat it', async () => {
  const peer = await startPeer({ answer: () => ({ result: message('Noted.') }) });
  const result = await openToolFor(peer.url).call({
    action: 'send',
    context_id: 'ctx-456',
    parts: text('Remember this.'),
  });
  expect(result.summary.continuation).toEqual({ target: targetOf(peer), conversation: CONVERSATION });
});

test('a validation failure contains native Ajv errors', async () => {
  const peer = await startPeer();
  const tool = openTool({ targets: [{ alias: 'support', baseUrl: peer.url }] });
  expect(await tool.call({ action: 'send', parts: text('hello') })).toEqual({
    ok: false,
    operation: 'remote_agent',
    action: 'send',
    error: {
      code: 'VALIDATION_ERROR',
      message: 'remote_agent input validation failed',
      details: {
        source: 'ajv',
        tool: 'remote_agent',
        errors: [
          {
            keyword: 'anyOf',
            instancePath: '',
            schemaPath: '#/runtime/anyOf',
            params: {},
            message: 'send requires task_handle, target_alias, target_url, or a configured default target',
          },
        ],
      },
    },
  });
});

test('an expired handle returns a continuation', async () => {
  const peer = await startPeer({ answer: () => ({ result: task('working') }) });
  const tool = openToolFor(peer.url, { taskHandles: { ttlMs: 1, maxEntries: 10 } });
  const { summary } = await tool.call({ action: 'send', parts: text('begin') });
  const handle = summary.continuation?.task?.task_handle;
  const expired = async (): Promise<unknown> => tool.call({ action: 'status', task_handle: handle });
  await expect.poll(expired).toEqual({
    ok: false,
    operation: 'remote_agent',
    action: 'status',
    error: {
      code: 'EXPIRED_TASK_HANDLE',
      message: `task handle "${handle}" has expired`,
      details: {
        taskHandle: handle,
        retryHint:
          'Retry with the same nested continuation so the plugin can fall back to the persisted target plus taskId, or resend the original request after a restart to obtain a new handle.',
        restartInvalidatesHandles: true,
        suggested_actions: ['status', 'send'],
        hint: 'Retry with the same nested continuation, or use flat target_alias + task_id only as manual compatibility.',
        expiresAt: expect.stringMatching(/Z$/) as string,
        task_id: 'task-456',
        context_id: 'ctx-456',
        continuation: {
          target: targetOf(peer),
          task: expect.objectContaining({ task_id: 'task-456' }) as object,
          conversation: CONVERSATION,
        },
      },
    },
  });
});
