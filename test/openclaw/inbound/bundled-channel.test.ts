import { describe, expect, test } from 'vitest';
import { runOpenClaw } from '../harness/run-openclaw.ts';
import { inboundStage } from './inbound-stage.ts';
import { pathsOf } from './start-inbound.ts';

const HERMES = { 'content-type': 'application/json', authorization: 'Bearer swordfish' };
const IRIS = { ...HERMES, authorization: 'Bearer trout' };

/** Two agents that differ in their tools. */
const AGENTS = {
  ownership: 'explicit',
  defaults: { systemAgent: { agentId: 'main' } },
  entries: { main: {}, clerk: { tools: { allow: ['read'] } } },
};
const BINDINGS = [
  { agentId: 'clerk', match: { channel: 'a2a', peer: { kind: 'direct', id: 'hermes' } } },
  { agentId: 'main', match: { channel: 'a2a' } },
];

function messageOf(text: string): object {
  return { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts: [{ text }] };
}

describe('the configuration of OpenClaw’s bundled A2A channel, with the inbound plugin installed', () => {
  const stage = inboundStage({
    accounts: () => ({}),
    configuration: {
      agents: AGENTS,
      bindings: BINDINGS,
      channels: {
        a2a: {
          peers: { hermes: { token: 'swordfish' }, iris: { token: 'trout' } },
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

  test('is served by the plugin, at the address that clients know', async () => {
    const card = await fetch(`${stage.gateway.url}/.well-known/agent-card.json`);
    expect(await card.json()).toMatchObject({
      capabilities: { streaming: true },
      supportedInterfaces: [{ url: `${stage.gateway.url}/a2a/v1`, protocolVersion: '1.0' }, {}, {}],
      skills: [{ id: 'main' }, { id: 'clerk' }],
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

  test('lets the agent bound to a peer’s name answer that peer', async () => {
    for (const [word, headers] of [
      ['from-hermes', HERMES],
      ['from-iris', IRIS],
    ] as const) {
      stage.model.when(word, (answer) => answer.text('Here.'));
      const { body } = await call('SendMessage', { message: messageOf(word) }, headers);
      expect(body.result).toMatchObject({ task: { status: { state: 'TASK_STATE_COMPLETED' } } });
    }
    expect(stage.model.requestsWith('from-hermes')[0]?.tools).toEqual(['read']);
    expect(stage.model.requestsWith('from-iris')[0]?.tools).toContain('exec');
  });

  test('accepts messages as its clients send them', async () => {
    const message = { role: 'user', parts: [{ kind: 'text', text: 'hello' }, { url: 'https://x.example' }] };
    expect((await call('message/send', { message })).body.result).toMatchObject({
      task: { status: { state: 'TASK_STATE_COMPLETED' } },
    });
  });

  test('the gateway logs why an account does not start', async () => {
    const reason = 'public-base-url-missing: channels.a2a.accounts.unready.publicBaseUrl is missing';
    await expect
      .poll(() => stage.gateway.printed(), { timeout: 30_000 })
      .toContain(`Account "unready" does not start: ${reason}`);
  });

  test('channels status shows each account, and the reason for one that cannot start', async () => {
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
        stateReason: 'public-base-url-missing',
      },
      { accountId: 'default', running: true, lifecycle: 'ready', probe: { ok: true } },
    ]);
    expect(statusIssues).toEqual(
      expect.arrayContaining([
        expect.objectContaining({
          accountId: 'unready',
          message: expect.stringContaining(
            'public-base-url-missing: channels.a2a.accounts.unready',
          ) as unknown,
        }),
        expect.objectContaining({
          accountId: 'default',
          message: expect.stringContaining('gateway.bind is "loopback"') as unknown,
        }),
      ]),
    );
  });

  test('the gateway logs why an account does not start with a changed configuration', async () => {
    const store = JSON.stringify({ kind: 'sqlite', path: 'tasks' });
    const setting = 'channels.a2a.accounts.unready.taskStore';
    const { code } = await runOpenClaw(stage.gateway.home, 'config', 'set', setting, store, '--strict-json');
    expect(code).toBe(0);
    await expect
      .poll(() => stage.gateway.printed(), { timeout: 30_000 })
      .toContain('Account "unready" does not start: config-invalid: ');
  });
});
