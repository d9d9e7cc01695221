import { FORK_EXTENSION, type JsonObject } from '@holdword/protocol';
import { expect } from 'vitest';
import type { Driver, StreamedEvent } from '../../support/drivers/driver.ts';
import { WireError } from '../../support/drivers/wire-error.ts';
import type { TestAgent } from '../../support/test-agent.ts';
import { artifactTexts, say, sendForTask, startWaiting, unique } from '../conversation.ts';
import type { RequirementId } from '../requirements.ts';
import { scenarios } from '../scenarios.ts';

interface Owners {
  alice: Driver;
  bob: Driver;
}

async function first(events: AsyncIterable<StreamedEvent>): Promise<unknown> {
  for await (const { event } of events) {
    return event;
  }
  return undefined;
}

/** Each operation that names a task, as someone who knows its id would try it. */
const ATTEMPTS: Record<
  string,
  { covers: RequirementId; run: (driver: Driver, taskId: string) => Promise<unknown> }
> = {
  GetTask: { covers: 'OWNER-GET', run: (driver, id) => driver.get({ id }) },
  CancelTask: { covers: 'OWNER-CANCEL', run: (driver, id) => driver.cancel({ id }) },
  SubscribeToTask: { covers: 'OWNER-SUBSCRIBE', run: (driver, id) => first(driver.subscribe({ id })) },
  SendMessage: { covers: 'OWNER-SEND', run: (driver, taskId) => driver.send(say('complete', { taskId })) },
  SendStreamingMessage: {
    covers: 'OWNER-STREAM',
    run: (driver, taskId) => first(driver.stream(say('complete', { taskId }))),
  },
  'a fork': {
    covers: 'OWNER-FORK',
    run: (driver, taskId) =>
      driver.send(say('complete', {}, { metadata: { [FORK_EXTENSION]: { taskId, at: 1 } } })),
  },
  CreateTaskPushNotificationConfig: {
    covers: 'OWNER-PUSH',
    run: (driver, taskId) => driver.createPushConfig({ ...CONFIG, taskId }),
  },
  GetTaskPushNotificationConfig: {
    covers: 'OWNER-PUSH',
    run: (driver, taskId) => driver.getPushConfig({ ...CONFIG, taskId }),
  },
  ListTaskPushNotificationConfigs: {
    covers: 'OWNER-PUSH',
    run: (driver, taskId) => driver.listPushConfigs({ taskId }),
  },
  DeleteTaskPushNotificationConfig: {
    covers: 'OWNER-PUSH',
    run: (driver, taskId) => driver.deletePushConfig({ ...CONFIG, taskId }),
  },
};
const CONFIG: JsonObject = { id: 'config', url: 'https://example.com/webhook' };

/** Everything a caller can see of an error, with the requested id masked. */
async function visibleError(attempt: Promise<unknown>, id: string): Promise<string> {
  try {
    return `answered: ${JSON.stringify(await attempt)}`;
  } catch (error) {
    if (!(error instanceof WireError)) {
      throw error;
    }
    const { code, httpStatus, status, message, details } = error;
    return JSON.stringify({ code, httpStatus, status, message, details }).replaceAll(id, 'ID');
  }
}

const keys = new WeakMap<TestAgent, Promise<{ alice: string; bob: string }>>();
async function ownersOf(agent: TestAgent, { binding, version, client }: Driver): Promise<Owners> {
  const tokens =
    keys.get(agent) ??
    Promise.all([agent.addKey('alice'), agent.addKey('bob')]).then(([alice, bob]) => ({ alice, bob }));
  keys.set(agent, tokens);
  const as = async (token: string): Promise<Driver> =>
    agent.driver({ binding, version, client }, { authorization: `Bearer ${token}` });
  const { alice, bob } = await tokens;
  return { alice: await as(alice), bob: await as(bob) };
}

scenarios('Two owners', { apiKeys: true }, ({ scenario }) => {
  for (const [operation, { covers, run }] of Object.entries(ATTEMPTS)) {
    for (const state of ['working', 'waiting for input', 'completed']) {
      scenario(
        { it: `do not reach each other's ${state} task with ${operation}`, covers: [covers] },
        async ({ driver, agent }) => {
          const { alice, bob } = await ownersOf(agent, driver);
          const gate = unique('gate');
          const { id } = await taskIn(state, alice, agent, gate);
          const before = await alice.get({ id });
          const missing = unique('task');
          expect(await visibleError(run(bob, id), id)).toBe(await visibleError(run(bob, missing), missing));
          expect(await visibleError(run(bob, id), id)).not.toMatch(/^answered/);
          expect(await alice.get({ id })).toEqual(before);
          agent.gates.open(gate);
        },
      );
    }
  }

  scenario(
    { it: "do not see each other's tasks in a list", covers: ['OWNER-LIST'], on: { versions: ['1.0'] } },
    async ({ driver, agent }) => {
      const { alice, bob } = await ownersOf(agent, driver);
      const contextId = unique('context');
      const hers = await sendForTask(alice, say('complete', { contextId }));
      const his = await sendForTask(bob, say('complete', { contextId }));
      for (const [owner, own] of [
        [alice, hers],
        [bob, his],
      ] as const) {
        const page = await owner.list({ contextId });
        expect(page.tasks.map(({ id }) => id)).toEqual([own.id]);
        expect(page.totalSize).toBe(1);
        const everything = await owner.list({ pageSize: 100 });
        expect(everything.tasks.map(({ id }) => id)).toContain(own.id);
        expect(everything.tasks.map(({ id }) => id)).not.toContain(own === hers ? his.id : hers.id);
      }
    },
  );

  scenario(
    { it: 'each have their own context of the same name', covers: ['OWNER-CONTEXT'] },
    async ({ driver, agent }) => {
      const { alice, bob } = await ownersOf(agent, driver);
      const contextId = unique('context');
      await sendForTask(alice, say('complete', { contextId }));
      const his = await sendForTask(bob, say('remember; complete', { contextId }));
      expect(artifactTexts(his)).toEqual({ memory: '0' });
      const hers = await sendForTask(alice, say('remember; complete', { contextId }));
      expect(artifactTexts(hers)).toEqual({ memory: '1' });
    },
  );

  scenario(
    { it: 'each have their own idempotency keys', covers: ['OWNER-IDEMPOTENCY'] },
    async ({ driver, agent }) => {
      const { alice, bob } = await ownersOf(agent, driver);
      const headers = { 'idempotency-key': unique('key') };
      const hers = await sendForTask(alice, say('complete hers'), { headers });
      const his = await sendForTask(bob, say('complete his'), { headers });
      expect(his.id).not.toBe(hers.id);
    },
  );
});

async function taskIn(state: string, alice: Driver, agent: TestAgent, gate: string): Promise<{ id: string }> {
  switch (state) {
    case 'working': {
      const task = await startWaiting(alice, gate);
      await agent.gates.reached(gate);
      return task;
    }
    case 'completed':
      return sendForTask(alice, say('complete'));
    default:
      return sendForTask(alice, say('ask what?'));
  }
}
