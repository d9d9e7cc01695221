import type { JsonObject } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { answeringExecutor } from '../testing/answering-executor.ts';
import { startHubScene, type TestAgent } from '../testing/start-hub-scene.ts';

async function startScene() {
  const hub = await startHubScene(answeringExecutor);
  const boss = await hub.register('boss');
  const owner = await hub.register('owner', {}, boss);
  const heir = await hub.register('heir', { skills: ['porting/c'] }, boss);
  await hub.register('other', {}, boss);
  const offer = async (params: JsonObject = {}): Promise<string> => {
    hub.pass(1_000);
    const { id } = await hub.call('message/send', { message: 'ask which' }, owner);
    return String((await hub.call('handoff/offer', { task_id: id, ...params }, owner))['handoff_id']);
  };
  const list = async (agent: TestAgent, params: JsonObject = {}) => {
    const { handoffs, next_cursor } = await hub.call('handoff/list', params, agent);
    return { ids: (handoffs as JsonObject[]).map(({ handoff_id }) => handoff_id), next: next_cursor };
  };
  return { ...hub, boss, owner, heir, offer, list };
}

test('offers to other agents do not hide what an agent can claim', async () => {
  const { offer, list, heir } = await startScene();
  const shared = await offer();
  const skilled = await offer({ to_skill: 'porting/c' });
  for (let number = 0; number < 55; number += 1) await offer({ to_agent_id: 'other' });
  expect(await list(heir)).toEqual({ ids: [skilled, shared], next: null });
});

test('hand-offs that others hold do not hide what an agent can claim', async () => {
  const { offer, list, call, boss, heir } = await startScene();
  const shared = await offer();
  for (let number = 0; number < 5; number += 1)
    await call('handoff/claim', { handoff_id: await offer() }, boss);
  expect((await list(heir, { limit: 3, filter: 'claimable' })).ids).toEqual([shared]);
});

test('pages lead through all of them, newest first', async () => {
  const { offer, list, owner } = await startScene();
  const offered: string[] = [];
  for (let number = 0; number < 7; number += 1) offered.unshift(await offer());
  const listed: unknown[] = [];
  let cursor: unknown = null;
  do {
    const page = await list(owner, { limit: 3, cursor });
    listed.push(...page.ids);
    cursor = page.next;
  } while (typeof cursor === 'string');
  expect(listed).toEqual(offered);
});

test('filters select what the agent holds and what is its own', async () => {
  const { offer, list, call, owner, heir, boss } = await startScene();
  const [held, free] = [await offer(), await offer()];
  await call('handoff/claim', { handoff_id: held }, heir);
  expect((await list(heir, { filter: 'held' })).ids).toEqual([held]);
  expect((await list(heir, { filter: 'claimable' })).ids).toEqual([free]);
  expect((await list(heir, { filter: 'own' })).ids).toEqual([]);
  expect((await list(owner, { filter: 'own' })).ids).toEqual([free, held]);
  expect((await list(owner, { filter: 'claimable' })).ids).toEqual([]);
  expect((await list(boss)).ids).toEqual([free, held]);
});

test.each([{ limit: 0 }, { limit: 101 }, { limit: '5' }, { filter: 'mine' }, { cursor: 'x' }, { cursor: 5 }])(
  'rejects %j',
  async (params) => {
    const { rejected, heir } = await startScene();
    expect((await rejected('handoff/list', params, heir)).details).toEqual({ field: Object.keys(params)[0] });
  },
);

test('an offer names an agent that exists, or says that it need not', async () => {
  const { call, rejected, register, owner } = await startScene();
  await call('message/send', { message: 'ask which' }, owner);
  const error = await rejected('handoff/offer', { to_agent_id: 'hier' }, owner);
  expect(error).toMatchObject({ code: 'DELX-A2A-1004', details: { field: 'to_agent_id' } });
  const open = { to_agent_id: 'hier', to_unregistered: true };
  const { handoff_id } = await call('handoff/offer', open, owner);
  const late = await register('hier');
  expect(await call('handoff/claim', { handoff_id }, late)).toMatchObject({ status: 'claimed' });
});
