import type { V03Event } from '@holdword/client';
import type { Executor } from '@holdword/runtime';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCRIPTED_CARD } from '../../support/scripted-agent.ts';
import { startAgent } from '../../support/start-agent.ts';
import type { TestAgent } from '../../support/test-agent.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { startCuttingProxy } from './cutting-proxy.ts';
import { openSession } from './open-session.ts';
import { taskOf, textsOf } from './results.ts';
import { cardFor, movedCard, portOf, startCardServer, WIRES, type Wire } from './start-card-server.ts';
import { startSdkAgent } from './start-sdk-agent.ts';

const CHUNKS = Array.from({ length: 60 }, (_, index) => `chunk ${index + 1} ${'x'.repeat(100)}`);

const counting: Executor = {
  card: SCRIPTED_CARD,
  execute: async (_turn, sink) => {
    for (const [index, chunk] of CHUNKS.entries()) {
      await sink.artifact({ artifactId: 'a', parts: chunk, append: index > 0 });
      await sink.flush();
    }
    await sink.complete('counted');
  },
};

/** The number of tasks in a context. */
async function countTasks(agent: TestAgent, contextId: string): Promise<number> {
  const driver = await agent.driver({ binding: 'JSONRPC', version: '1.0', client: 'raw' });
  return (await driver.list({ contextId })).totalSize;
}

describe('an agent with our extensions', () => {
  watchForLeaks();
  let agent: TestAgent;
  beforeAll(async () => {
    agent = await startAgent({ executor: counting });
  });
  afterAll(() => agent.close());

  test.each(WIRES)('over $binding $version: every event arrives exactly once', async (wire: Wire) => {
    let next = 0;
    const proxy = await startCuttingProxy({
      port: portOf(agent, wire.binding),
      // Each connection breaks later than the previous one, until even a snapshot of the whole task gets through.
      nextCut: () => 1_500 * (next += 1),
    });
    const session = openSession(await startCardServer(await cardFor(agent, wire, proxy.port)));
    const seen: string[] = [];
    const onUpdate = (update: V03Event): void => {
      if (update.kind === 'artifact-update') seen.push(...textsOf({ artifacts: [update.artifact] }));
      if (update.kind === 'task') seen.splice(0, seen.length, ...textsOf(update));
    };
    const task = taskOf(await session.sendMessage('agent', 'count', { onUpdate }));
    expect(task.status.state).toBe('completed');
    expect(textsOf(task)).toEqual([CHUNKS.join('')]);
    expect(seen.join('')).toBe(CHUNKS.join(''));
    expect(proxy.cuts()).toBeGreaterThan(1);
    expect(await countTasks(agent, task.contextId)).toBe(1);
  });

  test.each(WIRES)(
    'over $binding $version: a message whose response is lost creates one task',
    async (wire: Wire) => {
      const cuts = [0, 0];
      const proxy = await startCuttingProxy({
        port: portOf(agent, wire.binding),
        nextCut: () => cuts.shift(),
      });
      const session = openSession(await startCardServer(await cardFor(agent, wire, proxy.port)));
      const task = taskOf(await session.sendMessage('agent', 'count'));
      expect(task.status.state).toBe('completed');
      expect(proxy.cuts()).toBe(2);
      expect(await countTasks(agent, task.contextId)).toBe(1);
    },
  );
});

test('a message whose response is lost is not resent if that may duplicate the work', async () => {
  const { origin, url } = await startSdkAgent({
    interfaces: [{ binding: 'JSONRPC', version: '1.0' }],
    streaming: true,
  });
  const proxy = await startCuttingProxy({ port: Number(new URL(origin).port), nextCut: () => 0 });
  const session = openSession(await startCardServer(await movedCard(url, proxy.port)));
  await expect(session.sendMessage('agent', 'artifact a one')).rejects.toMatchObject({
    code: 'UNAVAILABLE',
    message: expect.stringMatching(
      /^The agent did not answer the message: the server closed the connection\. It may have been delivered\. Sending it again may duplicate the work\. /,
    ) as string,
  });
  expect(proxy.cuts()).toBe(1);
});
