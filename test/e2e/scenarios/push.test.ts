import type { JsonObject } from '@holdword/protocol';
import { taskPushNotificationConfigSchema } from '@holdword/protocol/internal';
import { createPushReceiver, type PushDelivery } from '@holdword/runtime/push-receiver';
import { expect, onTestFinished } from 'vitest';
import { z } from 'zod';
import type { Driver } from '../../support/drivers/driver.ts';
import { decodeStreamResponse } from '../../support/drivers/decode-response.ts';
import { v03EventToCore } from '../../support/drivers/v03-json.ts';
import { startWebhook, type Notification, type Webhook } from '../../support/start-webhook.ts';
import { waitUntil } from '../../support/wait-until.ts';
import { allEvents, outline, say, sendForTask, startWaiting, unique } from '../conversation.ts';
import { expectError } from '../expect-error.ts';
import { scenarios } from '../scenarios.ts';

const UNRESOLVED = 'https://receiver.invalid/webhook';
const listSchema = z.object({
  configs: z.array(taskPushNotificationConfigSchema).default([]),
  nextPageToken: z.string().default(''),
});

async function create(driver: Driver, request: JsonObject) {
  return taskPushNotificationConfigSchema.parse(await driver.createPushConfig(request));
}

async function list(driver: Driver, request: JsonObject) {
  return listSchema.parse(await driver.listPushConfigs(request));
}

async function openWebhook(): Promise<Webhook> {
  const webhook = await startWebhook();
  onTestFinished(() => webhook.close());
  return webhook;
}

/** The received events in the form of 1.0, whatever the version of the client. */
function outlineOf({ version }: Driver, notifications: readonly Notification[]): string[] {
  const events = notifications.map(({ body }) => {
    const event: unknown = JSON.parse(body);
    return decodeStreamResponse(version === '1.0' ? event : v03EventToCore(event));
  });
  return outline(events);
}

const notifying = { runtime: { push: { allowPrivate: ['127.0.0.0/8'] } } };

scenarios('Push notifications', notifying, ({ scenario, check }) => {
  scenario(
    {
      it: 'are configured, read, listed and deleted',
      covers: ['PUSH-CREATE', 'PUSH-GET', 'PUSH-LIST', 'PUSH-DELETE'],
    },
    async ({ driver }) => {
      const { id: taskId } = await sendForTask(driver, say('ask what?'));
      const made = await create(driver, { taskId, id: 'mine', url: UNRESOLVED });
      expect(made).toEqual({ taskId, id: 'mine', url: UNRESOLVED });
      const read = await driver.getPushConfig({ taskId, id: 'mine' });
      expect(taskPushNotificationConfigSchema.parse(read)).toEqual(made);
      await create(driver, { taskId, id: 'other', url: UNRESOLVED });
      const ids = (await list(driver, { taskId })).configs.map(({ id }) => id);
      expect(ids).toEqual(['mine', 'other']);
      await driver.deletePushConfig({ taskId, id: 'mine' });
      expect((await list(driver, { taskId })).configs.map(({ id }) => id)).toEqual(['other']);
    },
  );

  scenario({ it: 'get an id if they have none', covers: ['PUSH-CREATE-ID'] }, async ({ driver }) => {
    const { id: taskId } = await sendForTask(driver, say('ask what?'));
    const { id = '' } = await create(driver, { taskId, url: UNRESOLVED });
    expect(id).not.toBe('');
    await driver.getPushConfig({ taskId, id });
  });

  scenario(
    { it: 'can be configured for a task that has ended', covers: ['PUSH-CREATE-ENDED'] },
    async ({ driver }) => {
      const { id: taskId } = await sendForTask(driver, say('complete'));
      expect(await create(driver, { taskId, id: 'late', url: UNRESOLVED })).toMatchObject({ id: 'late' });
    },
  );

  scenario({ it: 'cannot be read if there are none', covers: ['PUSH-GET-UNKNOWN'] }, async ({ driver }) => {
    const { id: taskId } = await sendForTask(driver, say('complete'));
    await expectError(driver, 'TASK_NOT_FOUND', driver.getPushConfig({ taskId, id: 'none' }));
  });

  scenario({ it: 'can be deleted repeatedly', covers: ['PUSH-DELETE-IDEMPOTENT'] }, async ({ driver }) => {
    const { id: taskId } = await sendForTask(driver, say('complete'));
    await create(driver, { taskId, id: 'mine', url: UNRESOLVED });
    await driver.deletePushConfig({ taskId, id: 'mine' });
    await driver.deletePushConfig({ taskId, id: 'mine' });
  });

  // Raw clients only: the official one does not send the page over REST.
  scenario(
    {
      it: 'are listed in pages',
      covers: ['PUSH-LIST-PAGES'],
      on: { versions: ['1.0'], clients: ['raw'] },
    },
    async ({ driver }) => {
      const { id: taskId } = await sendForTask(driver, say('complete'));
      for (const id of ['a', 'b', 'c']) await create(driver, { taskId, id, url: UNRESOLVED });
      const first = await list(driver, { taskId, pageSize: 2 });
      expect(first.configs.map(({ id }) => id)).toEqual(['a', 'b']);
      const second = await list(driver, { taskId, pageSize: 2, pageToken: first.nextPageToken });
      expect(second.configs.map(({ id }) => id)).toEqual(['c']);
      expect(second.nextPageToken).toBe('');
    },
  );

  scenario({ it: 'never return their secrets', covers: ['PUSH-SECRETS'] }, async ({ driver }) => {
    const { id: taskId } = await sendForTask(driver, say('complete'));
    const secrets = { token: 'hush', authentication: { scheme: 'Bearer', credentials: 'whisper' } };
    const config = { taskId, id: 'mine', url: UNRESOLVED };
    const answers = [
      await driver.createPushConfig({ ...config, ...secrets }),
      await driver.getPushConfig(config),
      await driver.listPushConfigs({ taskId }),
    ];
    expect(JSON.stringify(answers)).toContain('Bearer');
    expect(JSON.stringify(answers)).not.toMatch(/hush|whisper/);
  });

  scenario(
    { it: 'are not sent to a forbidden address', covers: ['PUSH-FORBIDDEN-URL'] },
    async ({ driver }) => {
      const { id: taskId } = await sendForTask(driver, say('complete'));
      for (const url of [
        'https://169.254.169.254/',
        'https://[::1]/',
        'http://8.8.8.8/',
        'ftp://x.example/',
      ]) {
        const { message } = await expectError(
          driver,
          'INVALID_PARAMS',
          driver.createPushConfig({ taskId, id: 'mine', url }),
        );
        expect(message).toContain('url');
      }
      const request = say(
        'complete',
        {},
        {
          configuration: { taskPushNotificationConfig: { url: 'https://10.0.0.1/' } },
        },
      );
      await expectError(driver, 'INVALID_PARAMS', driver.send(request));
    },
  );

  scenario(
    {
      it: 'requested with a send deliver every event from the first one, in the version of the client',
      covers: ['PUSH-SEND', 'PUSH-PAYLOAD'],
    },
    async ({ driver }) => {
      const webhook = await openWebhook();
      const config = { url: webhook.url('hook') };
      const task = await sendForTask(
        driver,
        say(
          'artifact answer 42; complete done',
          {},
          {
            configuration: { taskPushNotificationConfig: config },
          },
        ),
      );
      await waitUntil('four notifications', () => webhook.notifications('hook').length >= 4);
      const notifications = webhook.notifications('hook');
      expect(outlineOf(driver, notifications)).toEqual([
        'task submitted',
        'working',
        'artifact answer 42',
        'completed done',
      ]);
      const type = driver.version === '1.0' ? 'application/a2a+json' : 'application/json';
      expect(notifications[0]?.headers).toMatchObject({
        'content-type': type,
        'a2a-version': driver.version,
      });
      expect((await list(driver, { taskId: task.id })).configs).toMatchObject([config]);
    },
  );

  scenario(
    { it: 'requested with a stream deliver what the stream delivers', covers: ['PUSH-STREAM'] },
    async ({ driver }) => {
      const webhook = await openWebhook();
      const request = say(
        'status on it; complete',
        {},
        {
          configuration: { taskPushNotificationConfig: { url: webhook.url('hook') } },
        },
      );
      const streamed = outline(await allEvents(driver.stream(request)));
      await waitUntil('the last one', () => webhook.notifications('hook').length >= streamed.length);
      expect(outlineOf(driver, webhook.notifications('hook'))).toEqual(streamed);
    },
  );

  scenario(
    { it: 'configured while a task is running deliver what comes after', covers: ['PUSH-LATER-EVENTS'] },
    async ({ driver, agent }) => {
      const webhook = await openWebhook();
      const gate = unique('gate');
      const { id: taskId } = await startWaiting(driver, gate);
      await agent.gates.reached(gate);
      await create(driver, { taskId, id: 'mine', url: webhook.url('hook') });
      agent.gates.open(gate);
      await waitUntil('two notifications', () => webhook.notifications('hook').length >= 2);
      expect(outlineOf(driver, webhook.notifications('hook'))).toEqual(['artifact end done', 'completed']);
    },
  );

  scenario(
    { it: 'carry the credentials they were configured with', covers: ['PUSH-CREDENTIALS'] },
    async ({ driver }) => {
      const webhook = await openWebhook();
      const config = {
        url: webhook.url('hook'),
        token: 'shared-token',
        authentication: { scheme: 'Bearer', credentials: 'abc.def' },
      };
      await driver.send(say('complete', {}, { configuration: { taskPushNotificationConfig: config } }));
      const first = await waitUntil('a notification', () => webhook.notifications('hook')[0]);
      expect(first.headers).toMatchObject({
        authorization: 'Bearer abc.def',
        'x-a2a-notification-token': 'shared-token',
      });
    },
  );

  scenario(
    { it: 'are signed, and can be verified with the published keys', covers: ['PUSH-SIGNED'] },
    async ({ driver, agent }) => {
      const webhook = await openWebhook();
      const keys = new URL('/.well-known/jwks.json', agent.target.baseUrl);
      const receiver = createPushReceiver({ keys, audience: webhook.origin });
      const config = { url: webhook.url('hook') };
      const { id: taskId } = await sendForTask(
        driver,
        say('complete', {}, { configuration: { taskPushNotificationConfig: config } }),
      );
      await waitUntil('three notifications', () => webhook.notifications('hook').length >= 3);
      const seen: PushDelivery[] = [];
      for (const notification of webhook.notifications('hook')) {
        await receiver.receive(notification, async (delivery) => void seen.push(delivery));
      }
      expect(seen.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
      expect(new Set(seen.map((delivery) => delivery.taskId))).toEqual(new Set([taskId]));
      const [, second] = webhook.notifications('hook');
      await expect(
        receiver.receive({ headers: second?.headers ?? {}, body: '{}' }, async () => {}),
      ).rejects.toThrow('does not match the signature');
    },
  );

  scenario(
    { it: 'continue with the next turn of a task', covers: ['PUSH-NEXT-TURN'] },
    async ({ driver }) => {
      const webhook = await openWebhook();
      const { id: taskId } = await sendForTask(driver, say('ask what?'));
      const request = say(
        'complete thanks',
        { taskId },
        {
          configuration: { taskPushNotificationConfig: { url: webhook.url('hook') } },
        },
      );
      await driver.send(request);
      await waitUntil('two notifications', () => webhook.notifications('hook').length >= 2);
      expect(outlineOf(driver, webhook.notifications('hook'))).toEqual(['working', 'completed thanks']);
    },
  );

  check(
    {
      it: 'make the answer a task, even if the agent could answer without one',
      covers: ['PUSH-DIRECT-MESSAGE'],
      surfaces: ['JSONRPC 1.0'],
    },
    async (agent) => {
      const webhook = await openWebhook();
      const driver = await agent.driver({ binding: 'JSONRPC', version: '1.0', client: 'raw' });
      const configuration = { taskPushNotificationConfig: { url: webhook.url('hook') } };
      expect(await driver.send(say('message hello', {}, { configuration }))).toHaveProperty('task');
      await waitUntil('the outcome', () => webhook.notifications('hook').length >= 3);
    },
  );

  check(
    { it: 'publish no private key', covers: ['PUSH-SIGNED'], surfaces: ['JSONRPC 1.0'] },
    async ({ target }) => {
      const answer = await fetch(new URL('/.well-known/jwks.json', target.baseUrl));
      const { keys } = z.object({ keys: z.array(z.looseObject({})) }).parse(await answer.json());
      expect(keys).toHaveLength(1);
      expect(keys[0]).not.toHaveProperty('d');
      expect(keys[0]).toMatchObject({ use: 'sig', alg: 'EdDSA' });
    },
  );
});
