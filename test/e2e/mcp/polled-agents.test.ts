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
