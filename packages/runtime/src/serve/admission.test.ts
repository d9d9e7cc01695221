import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { status } from '@grpc/grpc-js';
import { A2AService } from '@holdword/protocol/internal/grpc';
import { openMemoryStore } from '@holdword/store';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { EndedRequest } from '../observe/observer.ts';
import type { EventStream, Operations, RequestContext } from '../operations/operations.ts';
import { auditingObserver } from '../observe/audit-log.ts';
import { observeWith } from '../observe/observer.ts';
import { requestLog } from '../observe/request-log.ts';
import { noopLog } from '../log.ts';
import { CredentialWatch } from './admission.ts';
import { apiKeyAuthentication } from './auth/api-key-authentication.ts';
import { addKey, rotateKey } from './auth/api-keys.ts';
import { anyOf, type Authentication } from './auth/authentication.ts';
import { jwtAuthentication } from './auth/jwt-authentication.ts';
import type { Limits } from './limits.ts';
import { serveRuntime, type ServedAgent, type ServeRuntimeOptions } from './serve-runtime.ts';
import { fakeOperations, task } from './testing/fake-operations.ts';
import { grpcClient } from './testing/grpc-client.ts';
import { quietStream } from './testing/streams.ts';
import { callJsonRpc, callRest, startTestServer } from './testing/test-server.ts';
import { userAuthentication } from './testing/user-authentication.ts';

const ME = { 'X-User': 'me' };
const YOU = { 'X-User': 'you' };

const bearer = (token: string) => ({ Authorization: `Bearer ${token}` });

/** A server that collects what its operator reads. */
async function startWatched(authentication: Authentication, limits: Limits = {}) {
  const logged: Record<string, unknown>[] = [];
  const audited: string[] = [];
  const audit = { write: (line: string) => void audited.push(line), beforeClose() {}, async close() {} };
  const log = { ...noopLog, info: (_: string, fields = {}) => void logged.push(fields) };
  const observer = observeWith([requestLog(log), auditingObserver(audit)]);
  const url = await startTestServer({ authentication, limits, observer });
  return async (headers: Record<string, string>) => {
    const response = await callRest(url, 'GET', '/tasks/t-1', undefined, headers);
    const answer = `${await response.text()} ${JSON.stringify([...response.headers])}`;
    const { reason, limit } = logged.at(-1) ?? {};
    const line = JSON.parse(audited.at(-1) ?? '{}') as Record<string, unknown>;
    expect(line).toMatchObject({ event: 'refused' });
    expect({ reason: line['reason'], limit: line['limit'] }).toEqual({ reason, limit });
    if (typeof reason === 'string') expect(answer).not.toContain(reason);
    return reason ?? limit;
  };
}

describe('why a request was refused', () => {
  it('is in the log and in the audit log, for API keys', async () => {
    const store = openMemoryStore();
    const { token, key } = await addKey(store, { name: 'laptop' });
    const brief = await addKey(store, { name: 'brief', expiresAt: new Date(Date.now() + 60_000) });
    const whyRefused = await startWatched(apiKeyAuthentication(store));
    expect(await whyRefused({})).toBe('no credential');
    expect(await whyRefused({ Authorization: 'Basic czNjcmV0' })).toBe(
      'unsupported credential: an Authorization header (Basic) that this agent does not recognize',
    );
    expect(await whyRefused({ 'X-API-Key': 's3cret' })).toBe('API key in another format');
    expect(await whyRefused(bearer(token.replace(key.id, '0123456789ab')))).toBe(
      'API key with the id 0123456789ab: unknown',
    );
    await rotateKey(store, 'laptop');
    expect(await whyRefused(bearer(token))).toBe('API key "laptop": the secret is wrong or was replaced');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 61_000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await whyRefused(bearer(brief.token))).toBe(`API key "brief": expired at ${brief.key.expiresAt}`);
  });

  it('is in the log and in the audit log, for signed tokens', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdword-refusals-'));
    onTestFinished(() => rm(folder, { recursive: true }));
    const { publicKey, privateKey } = await generateKeyPair('ES256');
    const file = join(folder, 'jwks.json');
    await writeFile(
      file,
      JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), kid: 'one', alg: 'ES256' }] }),
    );
    const options = { issuer: 'https://issuer.example', audience: 'me', jwks: { file }, tenantClaim: 'org' };
    const authentication = anyOf([apiKeyAuthentication(openMemoryStore()), await jwtAuthentication(options)]);
    const whyRefused = await startWatched(authentication);
    const sign = ({
      kid = 'one',
      key = privateKey,
      ...claims
    }: Record<string, unknown> & { kid?: string; key?: typeof privateKey }) =>
      new SignJWT({ iss: options.issuer, aud: 'me', sub: 'alice', org: 'acme', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid })
        .setExpirationTime(claims['expired'] === true ? 1 : '5m')
        .sign(key);
    const other = (await generateKeyPair('ES256')).privateKey;
    const refusals: [Parameters<typeof sign>[0], string][] = [
      [{ expired: true }, 'token that has expired'],
      [{ aud: 'other' }, 'token whose claim "aud" is missing or has an unexpected value'],
      [{ iss: 'other' }, 'token whose claim "iss" is missing or has an unexpected value'],
      [{ nbf: Date.now() }, 'token that is not valid yet (nbf)'],
      [{ org: '' }, 'token without the claim "org" (authentication.jwt.tenantClaim)'],
      [{ kid: 'two' }, 'token whose key is not in the key set of the issuer'],
      [{ key: other }, 'token with a wrong signature'],
    ];
    for (const [changes, reason] of refusals)
      expect(await whyRefused(bearer(await sign(changes)))).toBe(reason);
    expect(await whyRefused(bearer('abc'))).toBe('bearer token that is not a signed JWT');
  });

  it('names the limit', async () => {
    const whyRefused = await startWatched({
      ...userAuthentication,
      authenticate: async () => ({ id: 'me', authenticated: true, requestsPerMinute: 0.1 }),
    });
    expect(await whyRefused({})).toBe('requestsPerMinute');
  });
});

describe('the rate of one caller', () => {
  const limits = { requestsPerMinute: 2 };

  it('is sent with every response, and one request too many is rejected with the time to wait', async () => {
    const url = await startTestServer({ authentication: userAuthentication, limits });
    const first = await callRest(url, 'GET', '/tasks/t-1', undefined, ME);
    expect(first.headers.get('ratelimit-policy')).toBe('"caller";q=2;w=60');
    expect(first.headers.get('ratelimit')).toBe('"caller";r=1;t=30');
    await callRest(url, 'GET', '/tasks/t-1', undefined, ME);
    const refused = await callRest(url, 'GET', '/tasks/t-1', undefined, ME);
    expect(refused.status).toBe(429);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);
    expect(refused.headers.get('ratelimit')).toMatch(/^"caller";r=0;t=\d+$/);
    expect(await refused.json()).toMatchObject({ error: { code: 429, status: 'RESOURCE_EXHAUSTED' } });
    expect((await callRest(url, 'GET', '/tasks/t-1', undefined, YOU)).status).toBe(200);
  });

  it('is reported as a JSON-RPC error there, in both versions', async () => {
    const url = await startTestServer({ authentication: userAuthentication, limits });
    await callJsonRpc(url, 'GetTask', { id: 't-1' }, ME);
    await callJsonRpc(url, 'GetTask', { id: 't-1' }, ME);
    for (const [method, version] of [
      ['GetTask', '1.0'],
      ['tasks/get', '0.3'],
    ] as const) {
      const refused = await callJsonRpc(url, method, { id: 't-1' }, { ...ME, 'A2A-Version': version });
      expect(refused.status).toBe(429);
      expect(refused.headers.get('retry-after')).not.toBeNull();
      expect(await refused.json()).toMatchObject({ jsonrpc: '2.0', error: { code: -32093 } });
    }
  });

  it('comes from the credential, including for anonymous callers', async () => {
    const authentication: Authentication = {
      ...userAuthentication,
      authenticate: async (headers) => {
        const user = await userAuthentication.authenticate(headers);
        return user?.id === 'me'
          ? { ...user, requestsPerMinute: 3 }
          : (user ?? { id: 'anonymous', authenticated: false, requestsPerMinute: 1 });
      },
    };
    const url = await startTestServer({ authentication, limits });
    const statuses = async (headers: Record<string, string>) => {
      const all: number[] = [];
      for (let call = 0; call < 4; call += 1)
        all.push((await callRest(url, 'GET', '/tasks/t-1', undefined, headers)).status);
      return all;
    };
    expect(await statuses(ME)).toEqual([200, 200, 200, 429]);
    expect(await statuses(YOU)).toEqual([200, 200, 429, 429]);
    expect(await statuses({})).toEqual([200, 429, 429, 429]);
  });

  it('counts all bindings together', async () => {
    const served = await serve({ requestsPerMinute: 1 });
    const client = grpcClient(served.grpcAddress ?? '');
    await client.unary(
      A2AService.getTask,
      { tenant: '', id: 't-1', historyLength: undefined },
      { 'x-user': 'me' },
    );
    expect((await callRest(served.url, 'GET', '/tasks/t-1', undefined, ME)).status).toBe(429);
    await expect(
      client.unary(
        A2AService.getTask,
        { tenant: '', id: 't-1', historyLength: undefined },
        { 'x-user': 'me' },
      ),
    ).rejects.toMatchObject({ code: status.RESOURCE_EXHAUSTED });
  });

  it('does not grow by naming other tenants', async () => {
    const url = await startTestServer({ authentication: userAuthentication, limits });
    const statuses: number[] = [];
    for (const tenant of ['a', 'b', 'c'])
      statuses.push((await callRest(url, 'GET', `/${tenant}/tasks/t-1`, undefined, ME)).status);
    expect(statuses).toEqual([200, 200, 429]);
  });

  it('does not apply where callers are not identified', async () => {
    const url = await startTestServer({ limits });
    for (let call = 0; call < 5; call += 1) {
      const answer = await callRest(url, 'GET', '/tasks/t-1');
      expect(answer.status).toBe(200);
      expect(answer.headers.get('ratelimit')).toBeNull();
    }
  });
});

describe('open streams', () => {
  const operations = fakeOperations({
    subscribeToTask: async (_: unknown, context: RequestContext) => quietStream(context),
  });

  it('are rejected over the limit, on all bindings together, and accepted again when one has closed', async () => {
    const ended: EndedRequest[] = [];
    const served = await serve(
      { streamsPerCaller: 2 },
      { operations, observer: { requestEnded: (call) => void ended.push(call) } },
    );
    const first = await subscribe(served.url, ME);
    const overGrpc = grpcClient(served.grpcAddress ?? '').stream(
      A2AService.subscribeToTask,
      { tenant: '', id: 't-1' },
      { 'x-user': 'me' },
    );
    await once(overGrpc, 'data');
    expect(served.openStreams).toBe(2);

    const refused = await callJsonRpc(served.url, 'SubscribeToTask', { id: 't-1' }, ME);
    expect(refused.status).toBe(429);
    expect(await refused.json()).toMatchObject({ error: { code: -32093 } });
    expect(ended.at(-1)).toMatchObject({ error: 'RESOURCE_EXHAUSTED', limit: 'streamsPerCaller' });
    (await subscribe(served.url, YOU)).leave();

    first.leave();
    await vi.waitFor(() => expect(served.openStreams).toBe(1));
    (await subscribe(served.url, ME)).leave();
    overGrpc.on('error', () => {});
    overGrpc.cancel();
    await vi.waitFor(() => expect(served.openStreams).toBe(0));
  });

  it('release their slot when the request is rejected', async () => {
    const refusing = fakeOperations({
      subscribeToTask: async () => {
        throw new Error('no');
      },
    });
    const served = await serve({ streams: 1 }, { operations: refusing });
    for (let call = 0; call < 3; call += 1) {
      expect((await callRest(served.url, 'GET', '/tasks/t-1:subscribe', undefined, ME)).status).toBe(500);
    }
    expect(served.openStreams).toBe(0);
  });

  it('are closed when their reader accepts nothing for too long', async () => {
    const ended: EndedRequest[] = [];
    const served = await serve(
      { keepAliveSeconds: 0.05, stalledStreamSeconds: 0.2 },
      {
        operations: fakeOperations({ subscribeToTask: async () => endless() }),
        observer: { requestEnded: (call) => void ended.push(call) },
      },
    );
    const { hostname, port } = new URL(served.url);
    const socket = connect(Number(port), hostname);
    onTestFinished(() => void socket.destroy());
    socket.pause();
    socket.write(
      'GET /a2a/rest/tasks/t-1:subscribe HTTP/1.1\r\nHost: localhost\r\nA2A-Version: 1.0\r\nX-User: me\r\n\r\n',
    );
    const overGrpc = grpcClient(served.grpcAddress ?? '').stream(
      A2AService.subscribeToTask,
      { tenant: '', id: 't-1' },
      { 'x-user': 'me' },
    );
    overGrpc.on('error', () => {});
    onTestFinished(() => overGrpc.cancel());
    overGrpc.once('readable', () => {});
    await vi.waitFor(
      () => expect(ended.map(({ binding }) => binding).toSorted()).toEqual(['GRPC', 'HTTP+JSON']),
      { timeout: 10_000 },
    );
    expect(ended.find(({ binding }) => binding === 'GRPC')?.error).toBe('UNAVAILABLE');
    expect(served.openStreams).toBe(0);
  });
});

describe('connections', () => {
  it.each([
    ['the head of a request', 'POST /a2a/rest/message:send HTTP/1.1\r\nHost: localhost\r\nX-Slow: '],
    [
      'the body of a request',
      'POST /a2a/rest/message:send HTTP/1.1\r\nHost: localhost\r\nA2A-Version: 1.0\r\nX-User: me\r\n' +
        'Content-Type: application/json\r\nContent-Length: 1000\r\n\r\n{',
    ],
  ])('of a client that sends %s a byte at a time are closed', async (_, beginning) => {
    const served = await serve({ headSeconds: 0.3, requestSeconds: 0.6 });
    const { hostname, port } = new URL(served.url);
    const socket = connect(Number(port), hostname);
    socket.on('error', () => {});
    socket.resume();
    socket.write(beginning);
    const drip = setInterval(() => socket.write('x'), 50);
    onTestFinished(() => clearInterval(drip));
    // Not `once`, which rejects if the server resets the connection.
    await new Promise((resolve) => socket.once('close', resolve));
  });

  it('over the limit are not accepted', async () => {
    const served = await serve({ connections: 1 });
    const { hostname, port } = new URL(served.url);
    const first = connect(Number(port), hostname);
    onTestFinished(() => void first.destroy());
    await once(first, 'connect');
    const second = connect(Number(port), hostname);
    second.on('error', () => {});
    second.resume();
    await new Promise((resolve) => second.once('close', resolve));
    expect(first.destroyed).toBe(false);
  });
});

/** Events of an endless task, large enough to fill the buffers of a socket. */
async function* endless(): EventStream {
  const metadata = { filler: 'x'.repeat(64 * 1024) };
  for (let sequence = 1; ; sequence += 1) {
    const event = JSON.parse(task('t-1')) as { task: object };
    yield [{ json: JSON.stringify({ task: { ...event.task, metadata } }), sequence }];
  }
}

async function serve(
  limits: Limits,
  more: Pick<ServeRuntimeOptions, 'observer'> & { operations?: Operations } = {},
): Promise<ServedAgent> {
  const { operations = fakeOperations(), ...options } = more;
  const served = await serveRuntime({
    runtime: { agent: { name: 'Test', description: 'An agent for tests.' }, operations },
    port: 0,
    grpcPort: 0,
    authentication: userAuthentication,
    limits,
    ...options,
  });
  onTestFinished(() => served.close({ graceMilliseconds: 0 }));
  return served;
}

/** A subscription that has started. */
async function subscribe(url: string, headers: Record<string, string>): Promise<{ leave(): void }> {
  const leaving = new AbortController();
  const response = await fetch(`${url}/a2a/rest/tasks/t-1:subscribe`, {
    headers: { 'A2A-Version': '1.0', ...headers },
    signal: leaving.signal,
  });
  expect(response.status).toBe(200);
  await response.body?.getReader().read();
  return { leave: () => leaving.abort() };
}

const callerWith = (isStillGood: () => Promise<boolean>) => ({ id: 'a', authenticated: true, isStillGood });

describe('CredentialWatch', () => {
  beforeEach(() => {
    vi.useFakeTimers();
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  it('tells a stream once that its credential is no longer valid, and stops its timer', async () => {
    const watch = new CredentialWatch();
    let isGood = true;
    const lapse = vi.fn<(error: unknown) => void>();
    watch.watch(
      callerWith(async () => isGood),
      lapse,
    );
    await vi.advanceTimersByTimeAsync(10_000);
    expect(lapse).not.toHaveBeenCalled();
    isGood = false;
    await vi.advanceTimersByTimeAsync(1_000);
    expect(lapse).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'UNAUTHENTICATED' }));
    expect(vi.getTimerCount()).toBe(0);
  });

  it('costs nothing for credentials that cannot lapse', () => {
    expect(new CredentialWatch().watch({ id: 'a', authenticated: false }, vi.fn())).toBeUndefined();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('has one timer for all streams, and none after the last one was closed', () => {
    const watch = new CredentialWatch();
    const leave = [1, 2, 3].map(() =>
      watch.watch(
        callerWith(async () => true),
        vi.fn(),
      ),
    );
    expect(vi.getTimerCount()).toBe(1);
    for (const each of leave) each?.();
    expect(vi.getTimerCount()).toBe(0);
  });

  it('ends no stream while it is unknown whether a credential is valid', async () => {
    const lapse = vi.fn<(error: unknown) => void>();
    new CredentialWatch().watch(
      callerWith(() => Promise.reject(new Error('The store is away.'))),
      lapse,
    );
    await vi.advanceTimersByTimeAsync(3_000);
    expect(lapse).not.toHaveBeenCalled();
  });

  it('does not ask again before it gets an answer, and tells no closed stream', async () => {
    const answers: ((isGood: boolean) => void)[] = [];
    const lapse = vi.fn<(error: unknown) => void>();
    const leave = new CredentialWatch().watch(
      callerWith(() => new Promise((resolve) => answers.push(resolve))),
      lapse,
    );
    await vi.advanceTimersByTimeAsync(5_000);
    expect(answers).toHaveLength(1);
    leave?.();
    answers[0]?.(false);
    await vi.advanceTimersByTimeAsync(1_000);
    expect(lapse).not.toHaveBeenCalled();
  });
});
