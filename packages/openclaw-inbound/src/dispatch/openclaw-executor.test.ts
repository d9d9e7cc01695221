import { ROUTE_KEY } from '@holdword/protocol/internal';
import type { Owner } from '@holdword/runtime';
import { noopLog } from '@holdword/runtime/internal';
import { openMemoryStore } from '@holdword/store';
import { overrideStore } from '@holdword/store/testing';
import { describe, expect, test } from 'vitest';
import type { HostEvent, HostTurn } from '../host/host.ts';
import { answer, assistantMessage, finalReply, toolCall, untilAborted } from '../testing/scripted-host.ts';
import {
  ANONYMOUS,
  requestContext,
  type ScriptedAccount,
  startScriptedAccount,
} from '../testing/start-scripted-account.ts';

/** A peer without tools, whose turns can run again. */
const HELPLESS = { tenant: '', caller: 'peer:bob', authenticated: true };

describe('a turn with one assistant message', () => {
  test('returns a plain message and creates no task', async () => {
    const account = await startScriptedAccount((turn) => answer(turn, 'Hello there'));
    const sent = await account.send('hi');
    expect(sent).toMatchObject({ role: 'ROLE_AGENT', parts: [{ text: 'Hello there' }] });
    expect(sent).not.toHaveProperty('taskId');
    await expect
      .poll(async () => (await account.operations.listTasks({}, requestContext())).tasks)
      .toEqual([]);
  });

  test('that the gateway stops is a task, which runs again after the next start', async () => {
    const first = await startScriptedAccount(untilAborted);
    const tasks = async ({ operations }: ScriptedAccount) =>
      (await operations.listTasks({}, requestContext({ owner: HELPLESS }))).tasks;
    const sending = first.stream('hi', { owner: HELPLESS });
    await expect.poll(() => first.host.turns).toHaveLength(1);
    await first.runtime.stop({ graceMilliseconds: 0 });
    expect((await sending)[0]).toHaveProperty('task');
    const second = await startScriptedAccount((turn) => answer(turn, 'Hello'), { store: first.store });
    await expect
      .poll(() => tasks(second))
      .toMatchObject([
        { status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'Hello' }] } } },
      ]);
  });

  test('is streamed as exactly one message', async () => {
    const account = await startScriptedAccount((turn) => answer(turn, 'Hello there'));
    expect(await account.stream('hi')).toEqual([
      { message: expect.objectContaining({ parts: [{ text: 'Hello there' }] }) },
    ]);
  });

  test.each([
    ['the send is not blocking', {}, { configuration: { returnImmediately: true } }],
    ['the account is task-generating', { agentStyle: 'task-generating' }, {}],
  ])('is a task if %s', async (_, account, request) => {
    const { sendForTask, operations } = await startScriptedAccount((turn) => answer(turn, 'Hello'), {
      account,
    });
    const { id } = await sendForTask('hi', { request });
    await expect
      .poll(() => operations.getTask({ id }, requestContext()))
      .toMatchObject({
        status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'Hello' }] } },
        artifacts: [{ artifactId: 'assistant-output-0001', parts: [{ text: 'Hello' }] }],
        history: [{ role: 'ROLE_USER' }, { role: 'ROLE_AGENT', parts: [{ text: 'Hello' }] }],
      });
  });
});

test('a task streams the text, completes the artifact, and repeats the text in its final status', async () => {
  const { stream } = await startScriptedAccount(
    async (turn) => {
      for (const event of assistantMessage('one two')) {
        turn.onEvent(event);
        // Unread partial text is replaced, so each word waits until the previous one was read.
        await new Promise(setImmediate);
      }
      turn.onEvent({ kind: 'outcome', outcome: 'completed' });
      turn.onEvent(finalReply('one two'));
    },
    { account: { agentStyle: 'task-generating' } },
  );
  const [task, working, first, more, closed, last, ...rest] = await stream('count');
  expect(task).toMatchObject({ task: { status: { state: 'TASK_STATE_SUBMITTED' } } });
  expect(working).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_WORKING' } } });
  expect(first).toMatchObject({
    artifactUpdate: {
      artifact: {
        artifactId: 'assistant-output-0001',
        name: 'assistant-output',
        parts: [{ text: 'one' }],
        metadata: { source: 'assistant-output', sequence: 1, turn: 1 },
      },
    },
  });
  expect(first).not.toHaveProperty('artifactUpdate.append');
  expect(more).toMatchObject({ artifactUpdate: { artifact: { parts: [{ text: ' two' }] }, append: true } });
  expect(closed).toMatchObject({
    artifactUpdate: { artifact: { parts: [{ text: '' }] }, append: true, lastChunk: true },
  });
  expect(last).toMatchObject({
    statusUpdate: { status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'one two' }] } } },
  });
  expect(rest).toEqual([]);
});

function reply(change: object): HostEvent {
  return { ...finalReply('More'), ...change };
}

describe('a task with one text', () => {
  const account = { agentStyle: 'task-generating' };

  test('ends with its reply before the host has cleaned up, and the next turn of its context waits for the cleanup', async () => {
    const tidied = Promise.withResolvers<void>();
    const { sendForTask, host } = await startScriptedAccount(
      async (turn) => {
        answer(turn, 'Hello there');
        if (turn.text === 'first') await tidied.promise;
      },
      { account },
    );
    const message = { contextId: 'c' };
    expect(await sendForTask('first', { message })).toMatchObject({
      status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'Hello there' }] } },
    });
    const second = sendForTask('second', { message });
    await new Promise(setImmediate);
    expect(host.turns).toHaveLength(1);
    tidied.resolve();
    expect(await second).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
  });

  test('keeps later output, marked as late', async () => {
    const said = Promise.withResolvers<void>();
    const { sendForTask, operations } = await startScriptedAccount(
      async (turn) => {
        answer(turn, 'Hello');
        await turn.written();
        turn.onEvent(finalReply('By the way'));
        await turn.written();
        said.resolve();
      },
      { account },
    );
    const { id } = await sendForTask('hi');
    await said.promise;
    await expect
      .poll(() => operations.getTask({ id }, requestContext()))
      .toMatchObject({
        status: { message: { parts: [{ text: 'Hello' }] } },
        artifacts: [
          { parts: [{ text: 'Hello' }] },
          { parts: [{ text: 'By the way' }], metadata: { late: { state: 'TASK_STATE_COMPLETED' } } },
        ],
      });
  });

  test.each<[string, HostEvent[], unknown]>([
    ['a block', [reply({ reply: 'block' })], 'More'],
    ['text that grows', [{ kind: 'partial-text', text: 'Hello again' }], 'Hello again'],
    ['an error', [reply({ text: 'Saving failed.', isError: true })], 'Saving failed.'],
    ['a failure', [{ kind: 'outcome', outcome: 'failed' }], expect.stringContaining('failed after')],
    ['an answer with more than the first', [reply({ text: 'Hello again' })], 'Hello again'],
  ])('keeps %s after its end, marked as late with the reason', async (_, after, text) => {
    const { sendForTask, operations } = await startScriptedAccount(
      async (turn) => {
        answer(turn, 'Hello');
        await turn.written();
        // A repeated text is written once.
        turn.onEvent({ kind: 'partial-text', text: 'Hello' });
        for (const event of after) turn.onEvent(event);
      },
      { account },
    );
    const { id } = await sendForTask('hi');
    await expect
      .poll(() => operations.getTask({ id }, requestContext()))
      .toMatchObject({
        status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'Hello' }] } },
        artifacts: [
          { parts: [{ text: 'Hello' }] },
          { parts: [{ text }], metadata: { late: { reason: 'the task had ended' } } },
        ],
      });
  });

  test.each([
    ['a tool was used', toolCall('exec', 'call-1')],
    ['there was another message', assistantMessage('First')],
    ['a file came with it', [{ ...finalReply('Second'), media: [{ reference: '/a.png' }] } as HostEvent]],
  ])('waits for the host if %s', async (_, before) => {
    const tidied = Promise.withResolvers<void>();
    const { sendForTask } = await startScriptedAccount(
      async (turn) => {
        for (const event of before) turn.onEvent(event);
        answer(turn, 'Second');
        await tidied.promise;
        turn.onEvent(finalReply('And a third'));
      },
      { account },
    );
    const sent = sendForTask('go');
    await new Promise(setImmediate);
    tidied.resolve();
    expect(await sent).toMatchObject({
      status: { message: { parts: [{ text: expect.stringContaining('And a third') }] } },
    });
  });
});

describe('a turn is promoted to a task', () => {
  test('by a tool, including the output before it', async () => {
    const { stream } = await startScriptedAccount((turn) => {
      for (const event of [...assistantMessage('Let me see'), ...toolCall('exec', 'call/1', 'hi')])
        turn.onEvent(event);
      answer(turn, 'It says hi');
    });
    const events = await stream('run it');
    const artifacts = events.flatMap((event) => ('artifactUpdate' in event ? [event.artifactUpdate] : []));
    expect(events[0]).toMatchObject({ task: { status: { state: 'TASK_STATE_SUBMITTED' } } });
    expect(events[1]).toMatchObject({ statusUpdate: { status: { state: 'TASK_STATE_WORKING' } } });
    expect(artifacts.map(({ artifact }) => artifact.artifactId)).toEqual([
      'assistant-output-0001',
      'tool-progress-call_1',
      'tool-progress-call_1',
      'tool-progress-call_1',
      'assistant-output-0001',
      'assistant-output-0002',
      'assistant-output-0002',
    ]);
    expect(artifacts[1]?.artifact).toMatchObject({
      name: 'tool-progress',
      parts: [{ data: { tool: 'exec', callId: 'call/1', phase: 'start' } }],
      metadata: { source: 'tool-progress' },
    });
    expect(artifacts[3]).toMatchObject({
      artifact: { parts: [{ data: { phase: 'result', status: 'completed' } }] },
      lastChunk: true,
    });
    expect(events.at(-1)).toMatchObject({
      statusUpdate: {
        status: { state: 'TASK_STATE_COMPLETED', message: { parts: [{ text: 'It says hi' }] } },
      },
    });
  });

  test('by a tool result', async () => {
    const { sendForTask } = await startScriptedAccount((turn) => {
      turn.onEvent({ kind: 'reply', reply: 'tool', text: 'exec: 3 files', media: [], isError: false });
      answer(turn, 'Done');
    });
    expect(await sendForTask('go')).toMatchObject({
      artifacts: [{ artifactId: 'tool-result-0001', parts: [{ text: 'exec: 3 files' }] }, {}],
    });
  });

  test('by a second message', async () => {
    const { sendForTask } = await startScriptedAccount((turn) => {
      for (const event of assistantMessage('First')) turn.onEvent(event);
      answer(turn, 'Second');
    });
    expect(await sendForTask('go')).toMatchObject({
      status: { message: { parts: [{ text: 'Second' }] } },
      artifacts: [{ parts: [{ text: 'First' }] }, { parts: [{ text: 'Second' }] }],
    });
  });

  test('by a second answer, and contains both', async () => {
    const { sendForTask } = await startScriptedAccount((turn) => {
      turn.onEvent(finalReply('One'));
      turn.onEvent(finalReply('Two'));
    });
    expect(await sendForTask('go')).toMatchObject({
      status: { message: { parts: [{ text: 'One\n\nTwo' }] } },
      artifacts: [{ artifactId: 'assistant-output-0001' }, { artifactId: 'assistant-output-0002' }],
    });
  });

  test('by an empty answer, with a notice', async () => {
    const { sendForTask } = await startScriptedAccount((turn) =>
      turn.onEvent({ kind: 'outcome', outcome: 'completed' }),
    );
    expect(await sendForTask('go')).toMatchObject({
      status: {
        state: 'TASK_STATE_COMPLETED',
        message: { parts: [{ text: 'The agent finished without a reply.' }] },
      },
    });
  });

  test('by a model failure, which is never completed', async () => {
    const { sendForTask } = await startScriptedAccount((turn) => {
      for (const event of assistantMessage('Half an')) turn.onEvent(event);
      turn.onEvent({ kind: 'outcome', outcome: 'failed' });
      turn.onEvent({ kind: 'reply', reply: 'final', text: 'LLM request failed.', media: [], isError: true });
    });
    expect(await sendForTask('go')).toMatchObject({
      status: { state: 'TASK_STATE_FAILED', message: { parts: [{ text: 'LLM request failed.' }] } },
      artifacts: [{ parts: [{ text: 'Half an' }] }],
    });
  });
});

test('a rejection by the host fails the task without revealing the reason to the caller', async () => {
  const { sendForTask } = await startScriptedAccount(() => ({
    kind: 'rejected',
    reason: 'session busy: steer',
  }));
  const { status } = await sendForTask('go');
  expect(status.state).toBe('TASK_STATE_FAILED');
  expect(JSON.stringify(status)).not.toContain('steer');
});

test('rewritten text replaces the earlier text', async () => {
  const { sendForTask } = await startScriptedAccount(
    async (turn) => {
      turn.onEvent({ kind: 'partial-text', text: 'Wrong' });
      await new Promise(setImmediate);
      turn.onEvent({ kind: 'partial-text', text: 'Right' });
      turn.onEvent(finalReply('Right'));
    },
    { account: { agentStyle: 'task-generating' } },
  );
  expect((await sendForTask('go')).artifacts).toMatchObject([{ parts: [{ text: 'Right' }] }]);
});

test('blocks of one message stay one message', async () => {
  const { send } = await startScriptedAccount((turn) => {
    turn.onEvent({ kind: 'partial-text', text: 'One.\nTwo.' });
    turn.onEvent({ kind: 'reply', reply: 'block', text: 'One.', media: [], isError: false });
    turn.onEvent({ kind: 'reply', reply: 'block', text: 'Two.', media: [], isError: false });
    turn.onEvent({ kind: 'outcome', outcome: 'completed' });
  });
  expect(await send('go')).toMatchObject({ parts: [{ text: 'One.\nTwo.' }] });
});

describe('the permissions of a caller', () => {
  test('an anonymous caller has no tools, gets no approvals, and has its own session', async () => {
    const { send, host } = await startScriptedAccount((turn) => answer(turn, 'Hi'));
    const message = { contextId: 'shared' };
    await send('/status', { owner: ANONYMOUS, message });
    await send('/status', { message });
    const [anonymous, alice] = host.turns;
    expect(anonymous).toMatchObject({ tools: 'none', asksCaller: false, senderName: 'anonymous' });
    expect(alice).toMatchObject({ tools: 'all', asksCaller: true, senderName: 'alice' });
    expect(anonymous?.session).not.toEqual(alice?.session);
    expect(anonymous?.session.senderId).not.toBe(alice?.session.senderId);
  });

  test('a guessable context of an anonymous caller is mentioned in the log, once', async () => {
    const warnings: unknown[] = [];
    const log = { ...noopLog, warn: (...line: unknown[]) => void warnings.push(line) };
    const { send } = await startScriptedAccount((turn) => answer(turn, 'Hello'), { log });
    const say = (contextId: string, owner: Owner) => send('hi', { owner, message: { contextId } });
    await say('support', HELPLESS);
    await say(crypto.randomUUID(), ANONYMOUS);
    expect(warnings).toEqual([]);
    await say('support', ANONYMOUS);
    await say('help', ANONYMOUS);
    expect(warnings).toEqual([
      [expect.stringContaining('each of its tasks is a separate conversation'), { contextId: 'support' }],
    ]);
  });

  test('turns of a context run one after the other, each with a new message id', async () => {
    let running = 0;
    const { send, host } = await startScriptedAccount(async (turn) => {
      running += 1;
      expect(running).toBe(1);
      await new Promise(setImmediate);
      running -= 1;
      answer(turn, 'Hi');
    });
    const message = { contextId: 'c', messageId: 'same' };
    await Promise.all([send('a', { message }), send('b', { message })]);
    expect(new Set(host.turns.map(({ messageId }) => messageId)).size).toBe(2);
    expect(host.turns[0]?.session).toEqual(host.turns[1]?.session);
  });
});

test('a message is dispatched only after it is on disk', async () => {
  const memory = openMemoryStore();
  const disk = Promise.withResolvers<void>();
  const store = overrideStore(memory, {
    createTask: async (task) => {
      await disk.promise;
      return memory.createTask(task);
    },
  });
  const { sendForTask, host } = await startScriptedAccount((turn) => answer(turn, 'Hello'), {
    account: { agentStyle: 'task-generating' },
    store,
  });
  const sent = sendForTask('hi');
  await new Promise((resolve) => setTimeout(resolve, 50));
  expect(host.turns).toEqual([]);
  disk.resolve();
  expect(await sent).toMatchObject({ status: { state: 'TASK_STATE_COMPLETED' } });
  expect(host.turns).toHaveLength(1);
});

test('a cancel aborts the turn in the host', async () => {
  const aborted = Promise.withResolvers<unknown>();
  const { sendForTask, operations } = await startScriptedAccount(async (turn) => {
    for (const event of assistantMessage('Working')) turn.onEvent(event);
    await new Promise((resolve) => turn.signal.addEventListener('abort', resolve));
    aborted.resolve(turn.signal.reason);
  });
  const { id } = await sendForTask('go', { request: { configuration: { returnImmediately: true } } });
  expect(await operations.cancelTask({ id }, requestContext())).toMatchObject({
    status: { state: 'TASK_STATE_CANCELED' },
  });
  expect(String(await aborted.promise)).toContain('canceled');
});

test('files of a message are saved by the host, and an empty message is rejected', async () => {
  const { send, sendForTask, host } = await startScriptedAccount((turn) => answer(turn, 'Seen'), {
    account: {
      features: { files: true },
      defaultInputModes: ['text/plain', 'image/png', 'application/json'],
    },
  });
  const picture = { raw: 'iVBORw==', mediaType: 'image/png', filename: 'dot.png' };
  await send('', { message: { parts: [picture] } });
  expect(host.savedFiles).toEqual([
    { content: Buffer.from('iVBORw==', 'base64'), mediaType: 'image/png', name: 'dot.png' },
  ]);
  expect(host.turns[0]).toMatchObject({
    text: '[User sent files]',
    files: [{ path: '/saved/1', mediaType: 'image/png', name: 'dot.png' }],
  });
  const refused = await sendForTask('', { message: { parts: [{ text: ' ' }], metadata: { a: 1 } } });
  expect(refused.status).toMatchObject({
    state: 'TASK_STATE_REJECTED',
    message: { parts: [{ text: expect.stringContaining('is empty') }] },
  });
});

test('the route of a message is passed to the host, not to the model', async () => {
  const turns: HostTurn[] = [];
  const { send } = await startScriptedAccount((turn) => {
    turns.push(turn);
    return answer(turn, 'Hello');
  });
  const route = { hops: 1, origins: ['a'] };
  await send('hi', { message: { metadata: { [ROUTE_KEY]: route, priority: 'high' } } });
  expect(turns[0]?.route).toEqual(route);
  expect(turns[0]?.context.map(({ data }) => data)).toEqual([{ priority: 'high' }]);
});
