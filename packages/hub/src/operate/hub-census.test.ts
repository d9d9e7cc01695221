import { expect, it } from 'vitest';
import { ReliabilityStats } from '../discovery/reliability-stats.ts';
import { startHubScene } from '../testing/start-hub-scene.ts';
import { createCensus } from './hub-census.ts';

it('counts agents that are alive, missing and blocked, and open hand-offs', async () => {
  const scene = await startHubScene(async (_turn, sink) => sink.askInput('Which one?'), {
    settings: { watchSeconds: 1, graceSeconds: 0 },
  });
  const take = () => createCensus(scene.store)();
  expect(await take()).toEqual({ alive: 0, missing: 0, blocked: 0, openHandoffs: 0 });
  const [one, two, three] = [
    await scene.register('one'),
    await scene.register('two'),
    await scene.register('three'),
  ];
  for (const agent of [one, three]) await scene.call('heartbeat/bundle', { cadence_seconds: 3_600 }, agent);
  await scene.call('heartbeat/bundle', { cadence_seconds: 5 }, two);
  await scene.call('message/send', { message: { parts: [{ kind: 'text', text: 'go' }] } }, one);
  await scene.call('handoff/offer', { to_agent_id: 'two' }, one);
  expect(await take()).toEqual({ alive: 3, missing: 0, blocked: 0, openHandoffs: 1 });
  await scene.asOperator('agents/block', { agent_id: 'three' });
  scene.pass(60_000);
  await expect.poll(take, { timeout: 10_000 }).toEqual({ alive: 1, missing: 1, blocked: 1, openHandoffs: 1 });
  await scene.call('heartbeat/bundle', {}, two);
  expect(await take()).toEqual({ alive: 2, missing: 0, blocked: 1, openHandoffs: 1 });
});

it('is taken again only after a while', async () => {
  const scene = await startHubScene(async (_turn, sink) => sink.complete('Done.'), {
    settings: { watchSeconds: 0 },
  });
  let now = 0;
  const take = createCensus(scene.store, () => now);
  expect(await take()).toMatchObject({ alive: 0 });
  await scene.call('heartbeat/bundle', {}, await scene.register('one'));
  expect(await take()).toMatchObject({ alive: 0 });
  now = 10_000;
  expect(await take()).toMatchObject({ alive: 1 });
});

it('claims are counted by their outcome, and alarms by their type', async () => {
  const stats = new ReliabilityStats();
  const { call, rejected, register, pass } = await startHubScene(
    async (_turn, sink) => sink.askInput('Which one?'),
    { stats, settings: { watchSeconds: 0.02, graceSeconds: 0 } },
  );
  const crew = await register('crew');
  const [one, two, three] = [
    await register('one', {}, crew),
    await register('two', {}, crew),
    await register('three', {}, crew),
  ];
  await call('message/send', { message: 'go' }, one);
  const { handoff_id } = await call('handoff/offer', {}, one);
  await call('handoff/claim', { handoff_id }, two);
  await rejected('handoff/claim', { handoff_id }, three);
  expect(Object.fromEntries(stats.countsOf('claim'))).toEqual({ granted: 1, taken: 1 });
  await call('heartbeat/bundle', { cadence_seconds: 5 }, one);
  pass(60_000);
  const alarms = () => Object.fromEntries(stats.countsOf('alarm'));
  await expect.poll(alarms, { timeout: 10_000 }).toEqual({ 'agent.heartbeat_missed': 1 });
  await call('heartbeat/bundle', {}, one);
  await expect
    .poll(alarms, { timeout: 10_000 })
    .toEqual({ 'agent.heartbeat_missed': 1, 'agent.returned': 1 });
});
