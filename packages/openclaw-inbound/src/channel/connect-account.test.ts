import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Authentication } from '@holdword/runtime';
import { noopLog } from '@holdword/runtime/internal';
import { addConnectedAgent, hostAgents } from '@holdword/runtime/connect';
import { openMemoryStore } from '@holdword/store';
import { expect, onTestFinished, test } from 'vitest';
import { readAccounts, type AccountEntry } from '../config/read-accounts.ts';
import { ScriptedHost } from '../testing/scripted-host.ts';
import { callRpc, echo } from '../testing/serve-scripted-account.ts';
import { runAccount, type AccountState } from './run-account.ts';

/** Callers say who they are. */
const byName: Authentication = {
  securitySchemes: {},
  challenge: 'Bearer',
  authenticate: async (headers) => ({ id: `key:${String(headers['x-name'])}`, authenticated: true }),
};

/** A host, and an account that connects to it. */
async function connected(auth: object, { token: given }: { token?: string } = {}) {
  const store = openMemoryStore();
  const agents = await hostAgents({ store, records: store });
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const handle = agents.mount({ url, authentication: byName });
  server.on('request', (request, response) => {
    const [path = '', query = ''] = (request.url ?? '').split('?');
    if (!handle(path, query, request, response)) response.writeHead(404).end();
  });
  const { token } = await addConnectedAgent(store, { name: 'claw' });
  const account = { connect: { host: url, token: given ?? token }, auth };
  const gateway = new ScriptedHost(echo);
  const states: AccountState[] = [];
  const stop = new AbortController();
  const running = runAccount({
    entry: readAccounts({ accounts: { default: account } })[0] as AccountEntry,
    host: gateway,
    log: noopLog,
    signal: stop.signal,
    onState: (state) => states.push(state),
    retryMilliseconds: 20,
  });
  onTestFinished(async () => {
    stop.abort();
    await running;
    await agents.stop({ graceMilliseconds: 0 });
    server.closeAllConnections();
    server.close();
  });
  const send = async (name: string, parts: object[] = [{ text: 'hello' }]) => {
    const message = { messageId: crypto.randomUUID(), role: 'ROLE_USER', parts };
    const headers = { 'A2A-Version': '1.0', 'X-Name': name };
    const { result } = await callRpc(`${url}/agents/claw/a2a/jsonrpc`, 'SendMessage', { message }, headers);
    return (result as { task: { status: object } }).task;
  };
  return { gateway, states, send };
}

test('an account that connects to a host runs the turns of a peer with what its entry grants', async () => {
  const peers = { ada: { hostCaller: 'key:ada', tools: ['read'] } };
  const { gateway, states, send } = await connected({ peers });
  expect((await send('ada')).status).toMatchObject({ state: 'TASK_STATE_COMPLETED' });
  expect((await send('peer:ada')).status).toMatchObject({ state: 'TASK_STATE_COMPLETED' });
  expect(gateway.turns.map(({ senderName, tools }) => [senderName, tools])).toEqual([
    ['ada', ['read']],
    ['anonymous', 'none'],
  ]);
  expect(states.at(-1)?.kind).toBe('ready');
});

test('an account that requires a peer rejects the turns of other callers of its host, and files', async () => {
  const { gateway, send } = await connected({ required: true, peers: { ada: { hostCaller: 'key:ada' } } });
  const rejected = { state: 'TASK_STATE_REJECTED' };
  expect((await send('bob')).status).toMatchObject(rejected);
  expect((await send('ada', [{ raw: 'aGk=', mediaType: 'text/plain' }])).status).toMatchObject(rejected);
  expect(gateway.turns).toEqual([]);
});

test('an account whose token the host refuses says so', async () => {
  const token = `holdword-worker_claw_${'x'.repeat(43)}`;
  const { states } = await connected({}, { token });
  await expect.poll(() => states.at(-1)?.kind).toBe('blocked');
  const [reason] = states.flatMap((state) => (state.kind === 'blocked' ? state.reasons : []));
  expect(reason?.code).toBe('host-refused');
  expect(reason?.message).not.toContain(token);
});
