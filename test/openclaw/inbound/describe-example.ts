import { join } from 'node:path';
import { GATEWAY_PATHS } from '@holdword/openclaw-a2a-inbound/testing';
import { describe, expect, test } from 'vitest';
import { say, textOf } from '../../e2e/conversation.ts';
import { VERSIONS } from '../../support/drivers/driver.ts';
import { PICTURE } from '../harness/picture.ts';
import { EXAMPLE_TASKS } from './accounts.ts';
import { describeAccount } from './describe-account.ts';
import { writeLegacyTask } from './write-legacy-task.ts';
import type { InboundStage } from './inbound-stage.ts';

/** The card contains another machine's address, so clients must be given the address of the account. */
const EXAMPLE = { account: 'default', client: 'raw' } as const;

/** The example configuration of `@aramisfa/openclaw-a2a-inbound`: its contract, and nothing more. */
export function describeExample(stage: InboundStage): void {
  describe('the example configuration', () => {
    test('has a card that is valid for both versions', async () => {
      const card = await fetch(`${stage.gateway.url}/.well-known/agent-card.json`);
      const address = 'https://agents.example.com/a2a/jsonrpc';
      expect(await card.json()).toMatchObject({
        name: 'Primary A2A Endpoint',
        capabilities: { streaming: true, pushNotifications: false },
        defaultInputModes: ['text/plain', 'application/json'],
        defaultOutputModes: ['text/plain', 'application/json'],
        skills: [{ id: 'chat', name: 'Chat' }],
        supportedInterfaces: [
          { url: address, protocolBinding: 'JSONRPC', protocolVersion: '1.0' },
          { url: address, protocolBinding: 'JSONRPC', protocolVersion: '1.1' },
          { url: address, protocolBinding: 'JSONRPC', protocolVersion: '0.3' },
        ],
        url: address,
      });
    });

    test('has no HTTP+JSON binding', async () => {
      const rest = await fetch(`${stage.gateway.url}/a2a/rest/tasks`, { headers: { 'a2a-version': '1.0' } });
      expect(rest.status).toBe(404);
    });

    test.each(GATEWAY_PATHS)('cannot use the path %s, which the gateway answers itself', async (path) => {
      const response = await fetch(`${stage.gateway.url}${path}`, { method: 'POST', body: '{}' });
      expect(response.status).not.toBe(404);
    });

    test.each(VERSIONS)('rejects push notifications and files, A2A %s', async (version) => {
      const client = await stage.driver({ ...EXAMPLE, version });
      const config = { taskId: 'any', id: 'any', url: 'https://example.com/hook' };
      for (const refused of [
        client.createPushConfig(config),
        client.getPushConfig(config),
        client.listPushConfigs(config),
        client.deletePushConfig(config),
      ]) {
        await expect(refused).rejects.toMatchObject({ code: -32601 });
      }
      const parts = [{ text: 'see' }, { raw: PICTURE, mediaType: 'image/png' }];
      await expect(client.send(say('', { parts }))).rejects.toMatchObject({
        code: -32602,
        message: expect.stringContaining('message.parts[1]: expected a text or data part, found a file.'),
      });
    });

    test.each(VERSIONS)('reads tasks stored by the legacy plugin, A2A %s', async (version) => {
      const folder = join(stage.gateway.home.folder, EXAMPLE_TASKS);
      const client = await stage.driver({ ...EXAMPLE, version });
      for (const schema of [1, 2] as const) {
        const id = await writeLegacyTask(folder, schema, `Kept in schema ${schema}.`);
        const { status } = await client.get({ id });
        expect(status.state).toBe('TASK_STATE_COMPLETED');
        expect(textOf(status.message?.parts ?? [])).toBe(`Kept in schema ${schema}.`);
      }
    });

    for (const version of VERSIONS) describeAccount(stage, { ...EXAMPLE, version });
  });
}
