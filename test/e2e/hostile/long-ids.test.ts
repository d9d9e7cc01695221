import type { JsonObject } from '@holdword/protocol';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { BINDINGS, type Driver, VERSIONS } from '../../support/drivers/driver.ts';
import { startAgent } from '../../support/start-agent.ts';
import type { TestAgent } from '../../support/test-agent.ts';
import { watchForLeaks } from '../../support/watch-for-leaks.ts';
import { say, sendForTask } from '../conversation.ts';
import { expectError } from '../expect-error.ts';

/*
 * Ids stand in every event of a task. One of a megabyte, in a message that makes an agent stream, would fill the disk with
 * copies of itself.
 */

const LONGEST = 'i'.repeat(256);
const TOO_LONG = 'i'.repeat(257);
const PUSH_URL = 'https://hooks.example/a2a';

/** The requests with an id that is too long, by the field that has it. */
const SENDS: Readonly<Record<string, JsonObject>> = {
  'message.contextId': say('complete', { contextId: TOO_LONG }),
  'message.messageId': say('complete', { messageId: TOO_LONG }),
  'message.taskId': say('complete', { taskId: TOO_LONG }),
  'a plain message that is a megabyte of contextId': say('complete', { contextId: 'i'.repeat(1_000_000) }),
};

describe.each(BINDINGS.flatMap((binding) => VERSIONS.map((version) => ({ binding, version }))))(
  'ids over $binding $version',
  ({ binding, version }) => {
    watchForLeaks();
    let agent: TestAgent;
    let driver: Driver;
    beforeAll(async () => {
      agent = await startAgent({ store: 'memory' });
      driver = await agent.driver({ binding, version, client: 'raw' });
    });
    afterAll(() => agent.close());

    it.each(Object.keys(SENDS))('are rejected if they are too long: %s', async (name) => {
      const error = await expectError(driver, 'INVALID_PARAMS', driver.send(SENDS[name] as JsonObject));
      expect(error.message).toContain('expected a string of at most 256 characters');
      expect(error.message.length).toBeLessThan(500);
    });

    it('are rejected if they are too long in requests about a task', async () => {
      await expectError(driver, 'INVALID_PARAMS', driver.get({ id: TOO_LONG }));
      await expectError(driver, 'INVALID_PARAMS', driver.cancel({ id: TOO_LONG }));
      await expectError(
        driver,
        'INVALID_PARAMS',
        driver.createPushConfig({ taskId: TOO_LONG, id: 'a', url: PUSH_URL }),
      );
    });

    // 0.3 knows such references in JSON-RPC alone.
    it.runIf(version === '1.0' || binding === 'JSONRPC')('are rejected as references', async () => {
      const referenceTaskIds = ['short', TOO_LONG];
      await expectError(driver, 'INVALID_PARAMS', driver.send(say('complete', { referenceTaskIds })));
    });

    it('may have 256 characters', async () => {
      const task = await sendForTask(driver, say('complete', { contextId: LONGEST, messageId: LONGEST }));
      expect(task).toMatchObject({ contextId: LONGEST, status: { state: 'TASK_STATE_COMPLETED' } });
    });

    it.runIf(version === '1.0')('name no tenant that is longer', async () => {
      const tenant = say('complete', {}, { tenant: TOO_LONG });
      await expectError(driver, 'INVALID_PARAMS', driver.send(tenant));
      await expectError(driver, 'INVALID_PARAMS', driver.list({ contextId: TOO_LONG }));
    });
  },
);
