import { usePostgres } from '@holdword/store/testing/postgres';
import { describe, expect, test } from 'vitest';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { message, errorOf, registerAgent, resultOf } from './hub-agents.ts';
import { startHub } from './start-hub.ts';

test('with the json-file store, an id and its session survive a restart', async () => {
  const hub = await startHub({ words: ['--store', 'json-file'] });
  const agent = await registerAgent(hub, 'runner-01');
  const again = await hub.restart();
  try {
    const result = resultOf(await again.rpc('message/send', message('Still here?'), agent.headers));
    expect(result['session_id']).toBe(agent.sessionId);
    const taken = await again.rpc('agents/register', { agent_id: 'runner-01', rotate_token: true });
    expect(errorOf(taken).data).toMatchObject({ details: { reason: 'missing_token' } });
  } finally {
    await again.stop();
  }
});

describe('two hubs on one database', () => {
  watchForLeaks();
  const postgres = usePostgres();

  test('share ids and sessions, and give a task to exactly one successor', async () => {
    const { url, newSchema } = postgres();
    const words = ['--store', url, '--store-schema', newSchema()];
    const one = await startHub({ command: ['serve', '--hub'], words: ['--grpc-port', 'off', ...words] });
    const other = await startHub({ command: ['serve', '--hub'], words: ['--grpc-port', 'off', ...words] });
    try {
      const controller = await registerAgent(one, 'crew');
      const agreed = { 'x-delx-controller-token': controller.token };
      const owner = await registerAgent(one, 'owner', { controller_id: 'crew' }, agreed);
      const taken = await other.rpc('agents/register', { agent_id: 'owner' });
      expect(taken.status).toBe(401);

      const asked = resultOf(await other.rpc('message/send', message('ask me'), owner.headers));
      expect(asked).toMatchObject({ session_id: owner.sessionId, status: { state: 'input-required' } });

      const successors = await Promise.all(
        Array.from({ length: 6 }, (_, index) =>
          registerAgent(one, `successor-${index}`, { controller_id: 'crew' }, agreed),
        ),
      );
      const offer = await one.rpc('handoff/offer', { task_id: asked['id'] }, owner.headers);
      const { handoff_id } = resultOf(offer);
      const claims = await Promise.all(
        successors.map(async ({ headers }, index) => {
          const { body } = await (index % 2 === 0 ? one : other).rpc(
            'handoff/claim',
            { handoff_id },
            headers,
          );
          return { body, headers };
        }),
      );
      const [winner, ...others] = claims.filter(({ body }) => 'result' in body);
      if (winner === undefined) throw new Error('No claim succeeded.');
      expect(others).toEqual([]);
      const { lease_token } = resultOf(winner);
      const going = { ...message('Ann'), handoff_id, lease_token };
      expect(resultOf(await one.rpc('message/send', going, winner.headers))).toMatchObject({
        id: asked['id'],
        status: { state: 'completed' },
      });
    } finally {
      await Promise.all([one.stop(), other.stop()]);
    }
  });
});
