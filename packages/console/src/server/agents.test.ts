import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { noAuthentication, openMemoryStore, serveRuntime, startRuntime } from '@holdword/runtime';
import { expect, onTestFinished, test } from 'vitest';
import { obedientAgent, startTestConsole } from '../testing/start-test-console.ts';
import { reportOnCard } from './card-report.ts';

async function startRemote() {
  const runtime = await startRuntime({ store: openMemoryStore(), executor: obedientAgent });
  onTestFinished(() => runtime.stop({ graceMilliseconds: 0 }));
  const served = await serveRuntime({ runtime, port: 0, authentication: noAuthentication() });
  onTestFinished(() => served.close({ graceMilliseconds: 0 }));
  return served;
}

/** A server that answers everything with one card, and remembers what it was sent. */
async function startCardServer(card: (url: string) => unknown) {
  const requests: { url: string; authorization: string | undefined }[] = [];
  const server = createServer((request, response) => {
    requests.push({ url: request.url ?? '', authorization: request.headers.authorization });
    const { port } = server.address() as AddressInfo;
    const isCard = request.url?.endsWith('.json') === true;
    const isAllowed = request.headers.authorization === 'Bearer right-secret';
    response.writeHead(isCard || isAllowed ? 200 : 401, {
      'content-type': 'application/json',
      'set-cookie': 'session=1',
    });
    const found = { jsonrpc: '2.0', id: 1, error: { code: -32001, message: 'Task not found' } };
    response.end(
      JSON.stringify(isCard ? card(`http://127.0.0.1:${port}`) : isAllowed ? found : { error: 'no' }),
    );
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => new Promise((resolve) => server.close(() => resolve())));
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests };
}

const CARD = {
  name: 'Keyed',
  description: '',
  version: '1',
  capabilities: {},
  defaultInputModes: ['text/plain'],
  defaultOutputModes: ['text/plain'],
  skills: [
    { id: 'a', name: 'A', description: 'x', tags: [] },
    { id: 'a', name: 'B', description: 'x', tags: [], examples: ['y'] },
  ],
  securitySchemes: { key: { httpAuthSecurityScheme: { scheme: 'Bearer' } } },
  securityRequirements: [{ schemes: { key: {} } }],
};

test('the served agent and a remote one are listed, shown and tried with every request in the log', async () => {
  const remote = await startRemote();
  const view = await startTestConsole({ allowPrivate: ['127.0.0.1'] });
  const as = await view.key('ops', 'operator');
  const added = await view.call('addAgent', { as, body: { url: remote.url } });
  expect(added.body).toMatchObject({
    kind: 'remote',
    name: 'Obedient',
    url: remote.cardUrl,
    unreachable: null,
  });
  expect(view.actions).toMatchObject([{ event: 'console-agent-added', about: { agent: added.body.id } }]);
  const { agents } = (await view.call('listAgents', { as })).body;
  expect(agents.map(({ kind, name }) => [kind, name])).toEqual([
    ['served', 'Obedient'],
    ['remote', 'Obedient'],
  ]);
  const path = { agentId: added.body.id };
  const tried = (await view.call('tryAgent', { as, path, body: { parts: [{ text: 'say hello' }] } })).body;
  expect(tried.problem).toBeNull();
  expect(tried.result).toMatchObject({
    task: { id: tried.taskId, status: { state: 'TASK_STATE_COMPLETED' } },
  });
  expect(tried.exchanges).toMatchObject([
    { request: { method: 'POST', url: remote.jsonRpcUrl }, response: { status: 200, cut: false } },
  ]);
  expect(JSON.parse(tried.exchanges[0]?.request.body ?? '')).toMatchObject({ method: 'SendMessage' });
  expect(tried.exchanges[0]?.response?.body).toContain('Done: hello');
  const refreshed = await view.call('refreshAgent', { as, path });
  expect(refreshed.body.fetchedAt).not.toBeNull();
  expect((await view.call('removeAgent', { as, path })).body).toEqual({ done: true });
  expect((await view.call('getAgent', { as, path })).status).toBe(404);
  expect((await view.call('removeAgent', { as, path: { agentId: 'served' } })).status).toBe(400);
});

test('addresses in private networks are not called unless the operator of the server allows them', async () => {
  const remote = await startRemote();
  const view = await startTestConsole();
  const as = await view.key('ops', 'operator');
  for (const url of [
    remote.url,
    'http://169.254.169.254/latest/meta-data/',
    'http://[::1]:1/',
    'file:///etc/passwd',
  ]) {
    const { status, body } = await view.call('addAgent', { as, body: { url } });
    expect(status, url).toBe(400);
    expect(body.error?.message).toMatch(/may not call|could not be fetched/);
    expect(body.error?.message.includes('console.allowPrivate'), url).toBe(url === remote.url);
  }
});

test('an address without a card is not added with the card at the root of its host', async () => {
  const remote = await startRemote();
  const view = await startTestConsole({ allowPrivate: ['127.0.0.1'] });
  const as = await view.key('ops', 'operator');
  const { status, body } = await view.call('addAgent', { as, body: { url: `${remote.url}/broken/` } });
  expect(status).toBe(400);
  expect(body.error?.message).toMatch(
    /HTTP status 404\. A card was found at .*: add http:.* if that is the agent you mean\.$/,
  );
});

test('a card that sends a credential to another origin does not get it', async () => {
  const thief = await startCardServer(() => ({}));
  const honest = await startCardServer(() => ({
    ...CARD,
    supportedInterfaces: [{ url: `${thief.url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  }));
  const view = await startTestConsole({ allowPrivate: ['127.0.0.1'] });
  const as = await view.key('ops', 'operator');
  const added = await view.call('addAgent', { as, body: { url: honest.url } });
  const path = { agentId: added.body.id };
  await view.call('setAgentCredential', { as, path, body: { scheme: 'key', value: 'right-secret' } });
  await view.call('tryAgent', { as, path, body: { parts: [{ text: 'x' }] } });
  expect(thief.requests.length).toBeGreaterThan(0);
  expect(thief.requests.map(({ authorization }) => authorization)).toEqual(
    thief.requests.map(() => undefined),
  );
});

test('a credential is tried, kept for the session, masked in the log, and forgotten', async () => {
  const agent = await startCardServer((url) => ({
    ...CARD,
    supportedInterfaces: [{ url: `${url}/rpc`, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
  }));
  const view = await startTestConsole({ allowPrivate: ['127.0.0.1'] });
  const as = await view.key('ops', 'operator');
  const added = await view.call('addAgent', { as, body: { url: agent.url } });
  expect(added.body.authentication).toMatchObject({
    required: true,
    credential: null,
    schemes: [{ name: 'key', kind: 'http', sentAs: 'Authorization: Bearer …', usable: true }],
  });
  expect(added.body.authentication.schemes[0]?.steps.map(({ title }) => title)).toEqual([
    'Get a key or token',
    'Paste it here',
  ]);
  const path = { agentId: added.body.id };
  const wrong = await view.call('setAgentCredential', {
    as,
    path,
    body: { scheme: 'key', value: 'wrong-secret' },
  });
  expect(wrong.body.accepted).toBe(false);
  const right = await view.call('setAgentCredential', {
    as,
    path,
    body: { scheme: 'key', value: 'right-secret' },
  });
  expect(right.body.accepted).toBe(true);
  expect(`${wrong.text}${right.text}`).not.toMatch(/right-secret|wrong-secret|session=1/);
  expect((await view.call('getAgent', { as, path })).body.authentication.credential).toBe('key');
  const other = await view.key('ops2', 'operator');
  expect((await view.call('getAgent', { as: other, path })).body.authentication.credential).toBeNull();
  await view.call('removeAgentCredential', { as, path });
  expect((await view.call('getAgent', { as, path })).body.authentication.credential).toBeNull();
  // Nothing of it is stored.
  expect(JSON.stringify(await view.store.listRecords('console-agents'))).not.toContain('secret');
});

test('says what is wrong with a card', () => {
  const url = 'http://agent.example/rpc';
  const { problems } = reportOnCard({
    ...CARD,
    supportedInterfaces: [{ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' }],
    securityRequirements: [{ schemes: { other: {} } }],
  });
  expect(problems.map(({ severity, path }) => `${severity} ${path}`)).toEqual([
    'warning supportedInterfaces[0].url',
    'warning skills[0].examples',
    'error skills[1].id',
    'warning description',
    'error securityRequirements',
  ]);
  const broken = reportOnCard({ name: 'x', supportedInterfaces: 'none' });
  expect(broken.card).toBeUndefined();
  expect(broken.problems.every(({ severity }) => severity === 'error')).toBe(true);
  expect(broken.problems.map(({ path }) => path)).toContain('supportedInterfaces');
  expect(reportOnCard(null).card).toBeUndefined();
});
