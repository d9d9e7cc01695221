import { startPeer } from '@holdword/client/testing';
import { expect, onTestFinished, test } from 'vitest';
import { waitUntil } from '../../support/wait-until.ts';
import { openSession } from '../client/open-session.ts';
import { startSdkAgent } from '../client/start-sdk-agent.ts';
import { connectMcp, resultOf } from './connect-mcp.ts';

test('with --on-cancel cancel, a task of an agent that does not stream is canceled; its progress is reported', async () => {
  const { url, script } = await startSdkAgent({
    interfaces: [{ binding: 'JSONRPC', version: '1.0' }],
    streaming: false,
  });
  const connection = await connectMcp(['--agent', `agent=${url}`, '--on-cancel', 'cancel'], {
    carrier: 'stdio',
    era: 'legacy',
  });
  onTestFinished(() => connection.close());
  const { client } = connection;
  const abort = new AbortController();
  const messages: (string | undefined)[] = [];
  const running = client.callTool(
    { name: 'sendMessage', arguments: { agentId: 'agent', message: 'wait gate', contextId: 'c-1' } },
    {
      signal: abort.signal,
      onprogress: ({ message }) => {
        messages.push(message);
        abort.abort();
      },
    },
  );
  await expect(running).rejects.toThrow();
  expect(messages[0]).toMatch(/^(submitted|working)/);
  await script.gates.reached('gate');
  const session = openSession(url);
  await waitUntil('the task to be canceled', async () => {
    const { tasks } = await session.listTasks('agent', { contextId: 'c-1' });
    return tasks[0]?.status.state === 'canceled';
  });
});

test('with --on-cancel cancel, a task is canceled that the agent names after the call was canceled', async () => {
  const { promise: answered, resolve: answer } = Promise.withResolvers<void>();
  const task = { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_WORKING' } };
  const { url, calls } = await startPeer({
    version: '1.0',
    answer: async ({ method }) => {
      if (method !== 'SendMessage') return { result: { ...task, status: { state: 'TASK_STATE_CANCELED' } } };
      await answered;
      return { result: { task } };
    },
  });
  const connection = await connectMcp(['--agent', `agent=${url}`, '--on-cancel', 'cancel'], {
    carrier: 'stdio',
    era: 'legacy',
  });
  onTestFinished(() => connection.close());
  const abort = new AbortController();
  const running = connection.client.callTool(
    { name: 'sendMessage', arguments: { agentId: 'agent', message: 'hello' } },
    { signal: abort.signal },
  );
  await waitUntil('the message to arrive', () => calls.length > 0);
  abort.abort();
  await expect(running).rejects.toThrow();
  // The server has read the cancellation when it has answered what came after it.
  await connection.client.callTool({ name: 'getAgents', arguments: {} });
  answer();
  await waitUntil('the task to be canceled', () => calls.some(({ method }) => method === 'CancelTask'));
  expect(calls.find(({ method }) => method === 'CancelTask')?.params).toMatchObject({ id: 't-1' });
});

test('wrong arguments are answered like every other mistake', async () => {
  const connection = await connectMcp(['--agent', 'agent=http://127.0.0.1:9'], {
    carrier: 'stdio',
    era: 'legacy',
  });
  onTestFinished(() => connection.close());
  const { client } = connection;
  const wrong = await client.callTool({ name: 'getTask', arguments: { agentId: 7 } });
  expect(wrong.isError).toBe(true);
  expect(resultOf(wrong)).toEqual({
    error: true,
    error_message: expect.stringMatching(
      /^Invalid parameters\. agentId: expected a string, found 7; taskId: expected a string, found nothing\. Correct the arguments/,
    ),
  });
});
