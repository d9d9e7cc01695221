import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openSqliteStore } from '@holdword/store';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readAccounts, type AccountEntry } from '../config/read-accounts.ts';
import { RoutedHost } from '../testing/routed-host.ts';
import { untilAborted } from '../testing/scripted-host.ts';
import { callRpc, echo, sectionOf } from '../testing/serve-scripted-account.ts';
import { runAccount, type AccountState } from './run-account.ts';

/** An account that runs until the test ends, with its reported states. */
async function run(section: object, host?: RoutedHost) {
  const gateway = host ?? (await RoutedHost.start(echo));
  const states: AccountState[] = [];
  const logged: string[] = [];
  const log = (message: string): void => void logged.push(message);
  const stop = new AbortController();
  const running = runAccount({
    entry: readAccounts(section)[0] as AccountEntry,
    host: gateway,
    log: { info: log, warn: log, error: log },
    signal: stop.signal,
    onState: (state) => states.push(state),
    retryMilliseconds: 20,
  });
  const end = async (): Promise<void> => {
    stop.abort();
    await running;
  };
  onTestFinished(async () => {
    await end();
    await gateway.close();
  });
  return { host: gateway, states, logged, end };
}

function reasonsIn(states: readonly AccountState[]): string[] {
  return states.flatMap((state) => (state.kind === 'blocked' ? state.reasons.map(({ code }) => code) : []));
}

const MESSAGE = { messageId: 'm-1', role: 'ROLE_USER', parts: [{ text: 'hello' }] };

function send(url: string) {
  return callRpc(`${url}/a2a/jsonrpc`, 'SendMessage', { message: MESSAGE }, { 'A2A-Version': '1.0' });
}

describe('an account', () => {
  test('serves requests until it is stopped, and releases its routes', async () => {
    const { host, states, end } = await run(sectionOf());
    await expect.poll(() => states.at(-1)?.kind).toBe('ready');
    expect((await send(host.url)).status).toBe(200);
    await end();
    expect(states.map(({ kind }) => kind)).toEqual(['starting', 'starting', 'ready', 'stopped']);
    expect((await fetch(`${host.url}/a2a/jsonrpc`)).status).toBe(404);
  });

  test.each([
    ['is open', {}, 'is open: anyone who reaches it can talk to the agent, without tools and private files'],
    [
      'requires credentials',
      { auth: { required: true, peers: { ada: { keySha256: '0'.repeat(64), tools: 'all' } } } },
      'requires credentials; these peers can call the agent: ada (all tools).',
    ],
  ])('that %s says so when it starts', async (_, account, sentence) => {
    const { states, logged } = await run(sectionOf(account));
    await expect.poll(() => states.at(-1)?.kind).toBe('ready');
    expect(logged).toContainEqual(expect.stringContaining(sentence));
  });

  test('stops within the time limit of the host, even with a running turn', async () => {
    const host = await RoutedHost.start(untilAborted);
    const { states, end } = await run(sectionOf({ agentStyle: 'task-generating' }), host);
    await expect.poll(() => states.at(-1)?.kind).toBe('ready');
    const sent = send(host.url);
    await expect.poll(() => host.turns).toHaveLength(1);
    const startedAt = performance.now();
    await Promise.all([end(), sent.catch(() => {})]);
    expect(performance.now() - startedAt).toBeLessThan(4_000);
  });

  test.each([
    ['without a public URL', { accounts: { default: {} } }, 'public-base-url-missing'],
    ['with an invalid public URL', sectionOf({ publicBaseUrl: 'example' }), 'config-invalid'],
    ['with an unknown key', sectionOf({ restPath: '/rest' }), 'config-invalid'],
  ])('%s reports the reason and does not start', async (_, section, reason) => {
    const { states, logged, end } = await run(section);
    await end();
    expect(states.map(({ kind }) => kind)).toEqual(['blocked', 'stopped']);
    expect(reasonsIn(states)).toEqual([reason]);
    // The gateway's console drops the channel's name from the start of a line.
    expect(logged.join('\n')).toMatch(/^Account "default" is unreachable: channels\.a2a/m);
  });

  test('whose store is in use answers 503 and starts when the store is released', async () => {
    const path = await mkdtemp(join(tmpdir(), 'holdword-inbound-'));
    onTestFinished(() => rm(path, { recursive: true }));
    const other = await openSqliteStore({ folder: path });
    const { host, states } = await run(sectionOf({ taskStore: { kind: 'sqlite', path } }));
    await expect.poll(() => states.at(-1)?.kind).toBe('blocked');
    expect(reasonsIn(states)).toContain('store-in-use');
    for (const url of [`${host.url}/a2a/jsonrpc`, `${host.url}/.well-known/agent-card.json`]) {
      const response = await fetch(url);
      expect(response.status).toBe(503);
      expect(response.headers.get('retry-after')).not.toBeNull();
      expect(await response.json()).toMatchObject({ error: { code: 'A2A_ACCOUNT_NOT_RUNNING' } });
    }
    await other.close();
    await expect.poll(() => states.at(-1)?.kind).toBe('ready');
    expect((await send(host.url)).status).toBe(200);
  });

  test('whose path is in use reports the owner, registers no other path, and starts when the path is free', async () => {
    const host = await RoutedHost.start(echo);
    const giveBack = host.registerRoute({ path: '/a2a/jsonrpc', match: 'exact', handle: () => {} });
    const { states } = await run(sectionOf(), host);
    await expect.poll(() => states.at(-1)?.kind).toBe('blocked');
    const [blocked] = states.filter((state) => state.kind === 'blocked');
    expect(blocked?.reasons).toEqual([
      {
        code: 'path-conflict',
        message: expect.stringContaining('http route already registered: /a2a/jsonrpc'),
      },
    ]);
    expect((await fetch(`${host.url}/.well-known/agent-card.json`)).status).toBe(404);
    giveBack();
    await expect.poll(() => states.at(-1)?.kind).toBe('ready');
    expect((await send(host.url)).status).toBe(200);
  });
});
