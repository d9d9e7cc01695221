import { expect, onTestFinished, test } from 'vitest';
import { A2AAgents } from '../agents/a2a-agents.ts';
import { A2ASession } from '../session/a2a-session.ts';
import { startPeer } from '../testing/start-peer.ts';
import { A2ATools } from './a2a-tools.ts';

const TASK = { id: 't-1', contextId: 'c-1', status: { state: 'TASK_STATE_COMPLETED' } };

async function openTools(code: number, message: string): Promise<A2ATools> {
  const { url } = await startPeer({
    version: '1.0',
    answer: ({ params }) => {
      const { taskId } = params['message'] as { taskId?: string };
      return taskId === undefined ? { result: { task: TASK } } : { error: { code, message } };
    },
  });
  const agents = new A2AAgents({ peer: { url } });
  onTestFinished(() => agents.close());
  return new A2ATools(new A2ASession(agents));
}

test.each([
  [-32_004, 'Task t-1 has ended.'],
  [-32_602, 'Task t-1 is in a terminal state'],
  [-32_600, 'x'.repeat(5_000)],
])('a message to a task that has ended is to be sent without its id (%i)', async (code, reason) => {
  const tools = await openTools(code, reason);
  await tools.sendMessage('peer', 'hello');
  const { error_message } = await tools.sendMessage('peer', 'more', null, 't-1');
  expect(error_message).toMatch(
    / The task has ended\. Call sendMessage without taskId and with the contextId "c-1": that starts a new task in the same conversation\.$/,
  );
  expect(error_message).toContain(reason.slice(0, 100));
});

test('a message to a task that this client has not seen may be for one that has ended', async () => {
  const tools = await openTools(-32_004, 'not now');
  expect(await tools.sendMessage('peer', 'more', null, 't-2')).toMatchObject({
    error_message: expect.stringContaining(
      '"not now". The task may have ended. Call sendMessage without taskId and with its contextId: that',
    ) as string,
  });
  const strict = await openTools(-32_602, 'no such field');
  expect(await strict.sendMessage('peer', 'more', null, 't-2')).toMatchObject({
    error_message: expect.stringMatching(/Correct the arguments and call again\.$/) as string,
  });
});
