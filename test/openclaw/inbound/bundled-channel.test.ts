import { describe, expect, test } from 'vitest';
import { runOpenClaw } from '../harness/run-openclaw.ts';
import { inboundStage } from './inbound-stage.ts';
import { pathsOf } from './start-inbound.ts';

const HERMES = { 'content-type': 'application/json', authorization: 'Bearer swordfish' };

function messageOf(text: string): object {
  return { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }] };
}

describe('the configuration of OpenClaw’s own A2A channel, with the inbound plugin installed', () => {
  const stage = inboundStage({
    accounts: () => ({}),
    configuration: {
      channels: {
        a2a: {
          peers: { hermes: { token: 'swordfish' } },
          accounts: { unready: pathsOf('unready') },
        },
      },
    },
  });

  async function call(method: string, params: object, headers: Record<string, string> = HERMES) {
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
    const response = await fetch(`${stage.gateway.url}/a2a/v1`, { method: 'POST', headers, body });
    return { status: response.status, body: (await response.json()) as { result?: unknown } };
  }

  test('is served by the plugin, under the address that clients know', async () => {
    const card = await fetch(`${stage.gateway.url}/.well-known/agent-card.json`);
    expect(await card.json()).toMatchObject({
      capabilities: { streaming: true },
      supportedInterfaces: [{ url: `${stage.gateway.url}/a2a/v1`, protocolVersion: '1.0' }, {}],
    });
    expect((await call('SendMessage', { message: messageOf('hello') }, {})).status).toBe(401);
    const { body } = await call('message/send', { message: messageOf('hello') });
    expect(body.result).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
    const { task } = body.result as { task: { id: string } };
    expect((await call('tasks/get', { id: task.id })).body.result).toMatchObject({
      id: task.id,
      artifacts: [{}],
    });
  });

  test('channels status shows each account, and the reason of the one that cannot start', async () => {
    const { code, stdout } = await runOpenClaw(stage.gateway.home, 'channels', 'status', '--json');
    expect(code).toBe(0);
    const { channelAccounts, statusIssues } = JSON.parse(stdout) as {
      channelAccounts: { a2a: unknown };
      statusIssues: unknown;
    };
    expect(channelAccounts.a2a).toMatchObject([
      {
        accountId: 'unready',
        running: false,
        stateReason: expect.stringContaining('accounts.unready.publicBaseUrl is missing') as unknown,
      },
      { accountId: 'default', running: true, lifecycle: 'ready', probe: { ok: true } },
    ]);
    expect(statusIssues).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          accountId: 'default',
          message: expect.stringContaining('gateway.bind is "loopback"') as unknown,
        }),
      ]),
    );
  });
});
