import { expect, test } from 'vitest';
import { untilAborted } from '../testing/scripted-host.ts';
import { requestContext, startScriptedAccount } from '../testing/start-scripted-account.ts';
import { limitBlocking } from './account-operations.ts';

test('a blocking send returns the current task after the limit', async () => {
  const { operations } = await startScriptedAccount(untilAborted, {
    account: { agentStyle: 'task-generating' },
  });
  const message = { messageId: 'm-1', role: 'ROLE_USER' as const, parts: [{ text: 'hello' }] };
  const sent = await limitBlocking(operations, 50).sendMessage({ message }, requestContext());
  expect(sent).toMatchObject({ task: { status: { state: 'TASK_STATE_WORKING' } } });
});
