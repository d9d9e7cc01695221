import type { AgentConnection, PeerEvent } from '@holdword/client/internal';
import type { AgentCard, StreamResponse } from '@holdword/protocol';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { SCRIPTED_CARD } from '../../support/scripted-agent.ts';
import { startAgent } from '../../support/start-agent.ts';
import type { TestAgent } from '../../support/test-agent.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { unique } from '../conversation.ts';
import { openSession } from './open-session.ts';
import { cardFor, portOf, startCardServer, WIRES, type Wire } from './start-card-server.ts';

async function collect(events: AsyncIterable<PeerEvent>): Promise<PeerEvent[]> {
  const all: PeerEvent[] = [];
  for await (const event of events) all.push(event);
  return all;
}

function kindsOf(events: readonly PeerEvent[]): string[] {
  return events.map(({ event }) => Object.keys(event)[0] ?? '');
}

function idOf(event: StreamResponse | undefined): string {
  if (event === undefined || !('task' in event)) throw new Error('Expected the task first');
  return event.task.id;
}

function message(text: string, contextId = unique('context')) {
  return { messageId: unique('message'), contextId, role: 'ROLE_USER' as const, parts: [{ text }] };
}

describe('a peer', () => {
  watchForLeaks();
  let agent: TestAgent;
  let key: string;
  beforeAll(async () => {
    agent = await startAgent({
      apiKeys: true,
      extendedAgent: () => ({ ...SCRIPTED_CARD, name: 'Extended agent' }),
    });
    key = await agent.addKey('client');
  });
  afterAll(() => agent.close());

  async function connect(wire: Wire, change = (card: AgentCard) => card): Promise<AgentConnection> {
    const url = await startCardServer(change(await cardFor(agent, wire)));
    const trusted_origins = [`http://127.0.0.1:${portOf(agent, wire.binding)}`];
    const custom_headers = { Authorization: `Bearer ${key}` };
    return openSession({ url, trusted_origins, custom_headers }).agents.connect('agent');
  }

  describe.each(WIRES)('over $binding $version', (wire) => {
    test('streams a message with sequence numbers', async () => {
      const { peer, extensions } = await connect(wire);
      expect(extensions).toEqual({ resume: true, idempotency: true });
      const events = await collect(
        peer.stream({ message: message('artifact a one; append a two; complete') }),
      );
      expect(kindsOf(events)).toEqual([
        'task',
        'statusUpdate',
        'artifactUpdate',
        'artifactUpdate',
        'statusUpdate',
      ]);
      expect(events.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4, 5]);
      expect(peer).toMatchObject({ binding: wire.binding, version: wire.version });
    });

    test('resumes after an event, even if the task has ended', async () => {
      const { peer } = await connect(wire);
      const events = await collect(
        peer.stream({ message: message('artifact a one; append a two; complete') }),
      );
      const rest = await collect(peer.subscribe({ id: idOf(events[0]?.event) }, { resumeAfter: 3 }));
      expect(rest.map(({ sequence }) => sequence)).toEqual([3, 4, 5]);
      expect(rest.slice(1)).toEqual(events.slice(3));
    });

    test('lists tasks if the version supports it', async () => {
      const { peer } = await connect(wire);
      const contextId = unique('context');
      await peer.send({ message: message('complete', contextId) });
      await peer.send({ message: message('complete', contextId) });
      const listing = peer.list({ contextId, pageSize: 1 });
      if (wire.version === '0.3') {
        await expect(listing).rejects.toMatchObject({ code: 'UNSUPPORTED_OPERATION' });
        return;
      }
      const page = await listing;
      expect(page).toMatchObject({ totalSize: 2, tasks: { length: 1 } });
      const next = await peer.list({ contextId, pageSize: 1, pageToken: page.nextPageToken });
      expect(next.tasks[0]?.id).not.toBe(page.tasks[0]?.id);
    });

    test('reports errors by code', async () => {
      const { peer } = await connect(wire);
      await expect(peer.get({ id: 'none' })).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
      await expect(collect(peer.subscribe({ id: 'none' }))).rejects.toMatchObject({ code: 'TASK_NOT_FOUND' });
      const answer = await peer.send({ message: message('complete') });
      const id = idOf(answer);
      await expect(peer.cancel({ id })).rejects.toMatchObject({ code: 'TASK_NOT_CANCELABLE' });
    });
  });

  test.each(WIRES.filter(({ version }) => version === '1.0'))(
    'names the tenant of the interface over $binding',
    async (wire) => {
      const tenant = unique('tenant');
      const { peer } = await connect(wire, (card) => ({
        ...card,
        supportedInterfaces: card.supportedInterfaces.map((each) => ({ ...each, tenant })),
      }));
      const id = idOf(await peer.send({ message: message('complete') }));
      expect((await peer.get({ id })).id).toBe(id);
      const driver = await agent.driver(
        { binding: 'JSONRPC', version: '1.0', client: 'raw' },
        { authorization: `Bearer ${key}` },
      );
      expect((await driver.list({ tenant })).tasks.map((task) => task.id)).toEqual([id]);
      await expect(driver.get({ id })).rejects.toThrow();
    },
  );
});
