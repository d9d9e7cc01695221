import { expect, test } from 'vitest';
import { waitUntil } from '../../support/wait-until.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { message, errorOf, registerAgent, resultOf } from './hub-agents.ts';
import { startHub } from './start-hub.ts';

watchForLeaks();

test('a hand-off is deleted with its task', async () => {
  let hub = await startHub({ words: ['--agent', 'demo'], config: { retention: { maxEndedTasks: 1 } } });
  try {
    const { headers } = await registerAgent(hub, 'runner');
    await registerAgent(hub, 'heir');
    const ask = async (method: string, params: object) => hub.rpc(method, { ...params }, headers);
    const { id: task_id } = resultOf(await ask('message/send', message('ask me')));
    const { handoff_id } = resultOf(
      await ask('handoff/offer', { task_id, to_agent_id: 'heir', note: 'The door code is 1234.' }),
    );
    expect(resultOf(await ask('message/send', { ...message('Ada'), task_id }))).toMatchObject({
      id: task_id,
    });
    expect(resultOf(await ask('handoff/get', { handoff_id }))).toMatchObject({ status: 'finished' });
    const { id: newer } = resultOf(await ask('message/send', message('echo hi')));

    // Retention runs at startup.
    hub = await hub.restart();
    await waitUntil('the older task to be forgotten', async () => {
      const { body } = await ask('tasks/get', { task_id });
      return body['error'] !== undefined;
    });
    expect(errorOf(await ask('handoff/get', { handoff_id })).message).toBe('Hand-off not found.');
    expect(resultOf(await ask('tasks/get', { task_id: newer }))).toMatchObject({ id: newer });
  } finally {
    await hub.stop();
  }
});
