import { expect } from 'vitest';
import { say, sendForTask } from '../conversation.ts';
import { expectError, expectStreamError } from '../expect-error.ts';
import { scenarios } from '../scenarios.ts';

const url = 'https://example.com/webhook';

scenarios(
  'Push notifications while the card declares none',
  { runtime: { push: false } },
  ({ scenario, check }) => {
    check(
      { it: 'are not declared, and there are no keys', covers: ['PUSH-OFF-CARD'], surfaces: ['CARD'] },
      async ({ target }) => {
        const card = await fetch(new URL('/.well-known/agent-card.json', target.baseUrl));
        expect(await card.json()).toMatchObject({ capabilities: { pushNotifications: false } });
        expect((await fetch(new URL('/.well-known/jwks.json', target.baseUrl))).status).toBe(404);
      },
    );

    scenario(
      {
        it: 'are rejected by every operation on configs',
        covers: ['PUSH-OFF-CREATE', 'PUSH-OFF-GET', 'PUSH-OFF-LIST', 'PUSH-OFF-DELETE'],
      },
      async ({ driver }) => {
        const { id: taskId } = await sendForTask(driver, say('ask what?'));
        const config = { taskId, id: 'config' };
        for (const call of [
          () => driver.createPushConfig({ ...config, url }),
          () => driver.getPushConfig(config),
          () => driver.listPushConfigs({ taskId }),
          () => driver.deletePushConfig(config),
        ]) {
          await expectError(driver, 'PUSH_NOTIFICATION_NOT_SUPPORTED', call());
        }
      },
    );

    scenario({ it: 'are rejected with a send', covers: ['PUSH-OFF-SEND'] }, async ({ driver }) => {
      const request = say('complete', {}, { configuration: { taskPushNotificationConfig: { url } } });
      await expectError(driver, 'PUSH_NOTIFICATION_NOT_SUPPORTED', driver.send(request));
      await expectStreamError(driver, 'PUSH_NOTIFICATION_NOT_SUPPORTED', driver.stream(request));
    });
  },
);
