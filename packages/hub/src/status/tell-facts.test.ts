import { textOfParts } from '@holdword/protocol';
import type { Executor } from '@holdword/runtime';
import { openMemoryStore } from '@holdword/store';
import { expect, test } from 'vitest';
import { startHubScene, START } from '../testing/start-hub-scene.ts';
import { tellFacts } from './tell-facts.ts';

/** A hub that is answered by a model, which keeps the conversation that it was last shown. */
async function startScene() {
  const store = openMemoryStore();
  let shown: string[] = [];
  const model: Executor = {
    async execute(turn, sink) {
      const earlier = await turn.contextHistory(10);
      shown = [...earlier, turn.message].map(({ parts }) => textOfParts(parts));
      await sink.complete(`Answer ${shown.length}`);
    },
  };
  const scene = await startHubScene(tellFacts(model, { store, now: () => START }), { store });
  const ask = async (text: string, agent: Awaited<ReturnType<typeof scene.register>>): Promise<string[]> => {
    await scene.call('message/send', { message: text }, agent);
    return shown;
  };
  return { ...scene, ask, lastShown: () => shown };
}

test('a model gets the heartbeat, the reports and the incident before the message to answer', async () => {
  const { ask, call, register } = await startScene();
  const agent = await register('runner');
  await ask('Done: batches 1 to 3\nRemaining: batches 4 to 10\nDecision: keep UTC', agent);
  await call('heartbeat/bundle', { errors_last_hour: 40, latency_ms_p95: 900, queue_depth: 2 }, agent);
  const shown = await ask('We get 429 on every call.', agent);
  expect(shown).toHaveLength(4);
  const [facts = '', last] = shown.slice(-2);
  expect(last).toBe('We get 429 on every call.');
  const [heartbeat, reported, incident] = facts
    .split('\n')
    .filter((line) => line.startsWith('{'))
    .map((line): unknown => JSON.parse(line));
  expect(heartbeat).toEqual({
    last_heartbeat: {
      at: '2027-01-15T08:00:00.000Z',
      errors_last_hour: 40,
      latency_ms_p95: 900,
      queue_depth: 2,
    },
  });
  expect(reported).toMatchObject({
    reported: {
      done: expect.arrayContaining(['batches 1 to 3']),
      remaining: ['batches 4 to 10'],
      decisions: ['keep UTC'],
    },
  });
  expect(incident).toMatchObject({
    incident: 'rate limiting',
    recognized_by: ['your message says "429"', expect.stringContaining('errors in the last hour: 40')],
    steps: expect.arrayContaining([expect.stringMatching(/^Stop all automatic retries/)]),
  });
});

test('what another agent reported is not told, and without facts nothing is added', async () => {
  const { ask, register } = await startScene();
  await ask('Remaining: the secret batches', await register('other'));
  expect(await ask('hello', await register('runner'))).toEqual(['hello']);
});

test('callers that are no agents of the hub are answered as before', async () => {
  const { runtime, lastShown } = await startScene();
  await runtime.operations.sendMessage(
    { message: { messageId: 'm', role: 'ROLE_USER', parts: [{ text: 'We get 429.' }] } },
    {
      owner: { tenant: '', caller: 'me', authenticated: true },
      extensions: new Set(),
      signal: new AbortController().signal,
    },
  );
  expect(lastShown()).toEqual(['We get 429.']);
});
