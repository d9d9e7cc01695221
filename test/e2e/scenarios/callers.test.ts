import type { JsonObject } from '@holdword/protocol';
import { ERROR_TABLE } from '@holdword/protocol/internal';
import { expect } from 'vitest';
import type { Driver } from '../../support/drivers/driver.ts';
import { SCRIPTED_CARD } from '../../support/scripted-agent.ts';
import type { TestAgent } from '../../support/test-agent.ts';
import { oneByOne, say, sendForTask, unique } from '../conversation.ts';
import { expectError, expectStreamError } from '../expect-error.ts';
import { scenarios } from '../scenarios.ts';

const FORGED = `holdword_000000000000_${'A'.repeat(43)}`;
const EXTENDED = { ...SCRIPTED_CARD, description: 'Says more to callers it knows.' };

const bearer = (token: string): { headers: Record<string, string> } => ({
  headers: { authorization: `Bearer ${token}` },
});

const tokens = new WeakMap<TestAgent, Promise<string>>();
function tokenFor(agent: TestAgent): Promise<string> {
  const token = tokens.get(agent) ?? agent.addKey('caller');
  tokens.set(agent, token);
  return token;
}

/** A stream that has started already has its status; the code is that of the error. */
function lapsedOn({ binding, version }: Driver): object {
  const { jsonRpc, http, grpc } = ERROR_TABLE.UNAUTHENTICATED;
  const message = expect.stringContaining('is no longer valid');
  if (binding === 'GRPC') return { message, status: grpc };
  return { message, code: binding === 'HTTP+JSON' && version === '1.0' ? http : jsonRpc };
}

/** Every unary operation, on things that do not exist. */
function unaryCalls(
  driver: Driver,
  options?: { headers: Record<string, string> },
): (() => Promise<unknown>)[] {
  const taskId = unique('task');
  const config: JsonObject = { taskId, id: 'config', url: 'https://example.com/webhook' };
  return [
    () => driver.send(say('complete', { taskId }), options),
    () => driver.get({ id: taskId }, options),
    ...(driver.version === '1.0' ? [() => driver.list({}, options)] : []),
    () => driver.cancel({ id: taskId }, options),
    () => driver.createPushConfig(config, options),
    () => driver.getPushConfig(config, options),
    () => driver.listPushConfigs(config, options),
    () => driver.deletePushConfig(config, options),
    () => driver.extendedCard({}, options),
  ];
}

scenarios('Callers with API keys', { apiKeys: true, extendedAgent: () => EXTENDED }, ({ scenario }) => {
  for (const [what, options] of [
    ['no credential', undefined],
    ['a forged key', bearer(FORGED)],
    ['a broken key', bearer('holdword_x')],
  ] as const) {
    scenario(
      {
        it: `are rejected with ${what}, before anything is looked up`,
        covers: ['AUTH-REQUIRED', 'AUTH-BEFORE-LOOKUP', 'EXTENDED-CARD-AUTHENTICATION'],
        on: { clients: ['raw'] },
      },
      async ({ driver }) => {
        for (const call of unaryCalls(driver, options)) {
          const error = await expectError(driver, 'UNAUTHENTICATED', call());
          if (driver.binding !== 'GRPC') {
            expect(error.httpStatus).toBe(401);
            expect(error.headers['www-authenticate']).toMatch(/^Bearer/);
          }
        }
        const id = unique('task');
        await expectStreamError(driver, 'UNAUTHENTICATED', driver.subscribe({ id }, options));
        await expectStreamError(driver, 'UNAUTHENTICATED', driver.stream(say('complete'), options));
      },
    );
  }

  scenario(
    { it: 'are admitted with their key, in either header', covers: ['AUTH-REQUIRED'] },
    async ({ driver, agent }) => {
      const token = await tokenFor(agent);
      for (const headers of [{ authorization: `Bearer ${token}` }, { 'x-api-key': token }]) {
        const task = await sendForTask(driver, say('owner; complete'), { headers });
        expect(task.artifacts?.[0]?.parts[0]?.text).toContain('"authenticated":true');
      }
    },
  );

  scenario(
    { it: 'keep reading until their key is revoked, and are told', covers: ['AUTH-LAPSED'] },
    async ({ driver, agent }) => {
      const name = unique('key');
      const options = bearer(await agent.addKey(name));
      const gate = unique('gate');
      const started = oneByOne(driver.stream(say(`wait ${gate}; complete`), options));
      const { id } = await started.nextTask();
      await agent.gates.reached(gate);
      const subscribed = oneByOne(driver.subscribe({ id }, options));
      await subscribed.nextTask();
      await agent.revokeKey(name);
      for (const reader of [started, subscribed]) {
        const error = await reader.rest().then(
          (rest) => rest,
          (thrown: unknown) => thrown,
        );
        expect(error).toBeInstanceOf(Error);
        if (driver.client === 'raw') expect(error).toMatchObject(lapsedOn(driver));
      }
      agent.gates.open(gate);
    },
  );

  scenario({ it: 'get the extended card', covers: ['EXTENDED-CARD'] }, async ({ driver, agent }) => {
    const card = await driver.extendedCard({}, bearer(await tokenFor(agent)));
    expect(card).toMatchObject({ name: EXTENDED.name, description: EXTENDED.description });
  });
});

scenarios(
  'Callers of an agent whose extended card is missing',
  { apiKeys: true, extendedAgent: () => undefined },
  ({ scenario }) => {
    scenario(
      { it: 'are told that it is not configured', covers: ['EXTENDED-CARD-NOT-CONFIGURED', 'ERROR-CODES'] },
      async ({ driver, agent }) => {
        await expectError(
          driver,
          'EXTENDED_AGENT_CARD_NOT_CONFIGURED',
          driver.extendedCard({}, bearer(await tokenFor(agent))),
        );
      },
    );
  },
);

scenarios('Callers without authentication', {}, ({ scenario }) => {
  scenario(
    { it: 'are told that no extended card is declared', covers: ['EXTENDED-CARD-UNDECLARED'] },
    async ({ driver }) => {
      await expectError(driver, 'UNSUPPORTED_OPERATION', driver.extendedCard({}));
    },
  );
});

scenarios(
  'Callers without authentication of an agent with an extended card',
  { extendedAgent: () => EXTENDED },
  ({ scenario }) => {
    scenario(
      { it: 'do not get it', covers: ['EXTENDED-CARD-AUTHENTICATION'], on: { clients: ['raw'] } },
      async ({ driver }) => {
        await expectError(driver, 'UNAUTHENTICATED', driver.extendedCard({}));
      },
    );
  },
);
