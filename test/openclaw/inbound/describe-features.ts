import { describe, expect, test } from 'vitest';
import { say, sayAndLeave, sendForTask, textOf } from '../../e2e/conversation.ts';
import { VERSIONS } from '../../support/drivers/driver.ts';
import { startWebhook } from '../../support/start-webhook.ts';
import type { InboundStage } from './inbound-stage.ts';
import { BERT } from './peers.ts';

const FEATURES = { account: 'features' } as const;

/** The optional features of an account. */
export function describeFeatures(stage: InboundStage): void {
  describe.each(VERSIONS)('enabled features, A2A %s', (version) => {
    test('the HTTP+JSON binding works with the official client', async () => {
      stage.model.when('by rest', (answer) => answer.text('Rested.'));
      const client = await stage.driver({ ...FEATURES, binding: 'HTTP+JSON', version });
      const reply = await client.send(say('asked by rest'));
      expect(reply).toMatchObject({ message: { parts: [{ text: 'Rested.' }] } });
      const { id } = await sendForTask(client, sayAndLeave('asked by rest'));
      await expect.poll(async () => (await client.get({ id })).status.state).toBe('TASK_STATE_COMPLETED');
      expect(textOf((await client.get({ id })).status.message?.parts ?? [])).toBe('Rested.');
    });

    test('the extended card requires credentials', async () => {
      const anonymous = await stage.driver({ ...FEATURES, version, client: 'raw' });
      await expect(anonymous.extendedCard({})).rejects.toMatchObject({ httpStatus: 401 });
      const bert = await stage.driver({ ...FEATURES, version, key: BERT });
      expect(await bert.extendedCard({})).toMatchObject({ skills: [{ id: 'chat' }, { id: 'tool:read' }] });
    });

    test('push notifications deliver every event to public or allowed addresses', async () => {
      stage.model.when('later', (answer) => answer.text('Now.'));
      const webhook = await startWebhook();
      try {
        const client = await stage.driver({ ...FEATURES, version });
        const config = { id: 'mine', url: webhook.url('hook') };
        const configuration = { returnImmediately: true, taskPushNotificationConfig: config };
        const { id: taskId } = await sendForTask(client, say('tell me later', {}, { configuration }));
        await expect
          .poll(() => webhook.notifications('hook').at(-1)?.body)
          .toContain(version === '1.0' ? 'TASK_STATE_COMPLETED' : '"completed"');
        expect(webhook.notifications('hook')[0]?.body).toContain(taskId);
        const elsewhere = { ...config, taskId, url: 'http://10.1.2.3/hook' };
        await expect(client.createPushConfig(elsewhere)).rejects.toMatchObject({ code: -32602 });
        expect(JSON.stringify(await client.listPushConfigs({ taskId }))).not.toContain('10.1.2.3');
      } finally {
        await webhook.close();
      }
    });
  });

  test('the card lists the enabled features, and the notification keys are next to it', async () => {
    const { url } = stage.gateway;
    const card = await fetch(`${url}/features/agent-card.json`);
    expect(await card.json()).toMatchObject({
      capabilities: { pushNotifications: true, extendedAgentCard: true },
      supportedInterfaces: expect.arrayContaining([
        expect.objectContaining({ url: `${url}/features/rest`, protocolBinding: 'HTTP+JSON' }),
      ]) as unknown,
    });
    const published = await fetch(`${url}/features/jwks.json`);
    const { keys } = (await published.json()) as { keys: object[] };
    expect(keys).toEqual([expect.objectContaining({ kid: expect.any(String) as string })]);
    expect(keys[0]).not.toHaveProperty('d');
  });
}
