import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { openMemoryStore } from '@holdword/store';
import { exportJWK, generateKeyPair, SignJWT, type CryptoKey, type JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest';
import { noopLog } from '../../log.ts';
import { apiKeyAuthentication } from './api-key-authentication.ts';
import { anyOf, type Authentication } from './authentication.ts';
import { jwtAuthentication } from './jwt-authentication.ts';

const ISSUER = 'https://issuer.example';
const AUDIENCE = 'holdword';

let privateKey: CryptoKey;
let keySet: JSONWebKeySet;
let server: Server;
let jwksUrl: string;
let authentication: Authentication;

beforeAll(async () => {
  const pair = await generateKeyPair('ES256');
  privateKey = pair.privateKey;
  keySet = { keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'one', alg: 'ES256' }] };
  server = createServer((request, response) => {
    response.writeHead(request.url === '/jwks' ? 200 : 500, { 'Content-Type': 'application/json' });
    response.end(JSON.stringify(keySet));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  jwksUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  authentication = await jwtAuthentication({
    issuer: ISSUER,
    audience: AUDIENCE,
    jwks: { url: `${jwksUrl}/jwks` },
  });
});
afterAll(async () => {
  await new Promise((resolve) => server.close(resolve));
});

interface TokenChanges {
  issuer?: string;
  audience?: string;
  expires?: string | number;
  subject?: string;
  claims?: Record<string, unknown>;
}

function sign(changes: TokenChanges = {}): Promise<string> {
  const token = new SignJWT(changes.claims ?? {})
    .setProtectedHeader({ alg: 'ES256', kid: 'one' })
    .setIssuer(changes.issuer ?? ISSUER)
    .setAudience(changes.audience ?? AUDIENCE)
    .setExpirationTime(changes.expires ?? '5m');
  if (changes.subject !== '') token.setSubject(changes.subject ?? 'alice');
  return token.sign(privateKey);
}

const headers = (token: string) => ({ authorization: `Bearer ${token}` });

describe('jwtAuthentication', () => {
  it('tells streams when a token has expired', async () => {
    const expires = Math.floor(Date.now() / 1000) + 60;
    const caller = await authentication.authenticate(headers(await sign({ expires })));
    expect(await caller?.isStillGood?.()).toBe(true);
    // As long as the token itself is accepted, to tolerate clock differences.
    vi.useFakeTimers({ toFake: ['Date'], now: (expires + 4) * 1000 });
    onTestFinished(() => void vi.useRealTimers());
    expect(await caller?.isStillGood?.()).toBe(true);
    vi.setSystemTime((expires + 5) * 1000);
    expect(await caller?.isStillGood?.()).toBe(false);
  });

  it('accepts a token of the issuer and identifies the caller by its subject', async () => {
    expect(await authentication.authenticate(headers(await sign()))).toMatchObject({
      id: 'jwt:alice',
      authenticated: true,
    });
  });

  it('leaves requests without a bearer token to other methods', async () => {
    expect(await authentication.authenticate({})).toBeUndefined();
  });

  it.each<[string, TokenChanges]>([
    ['another issuer', { issuer: 'https://other.example' }],
    ['another audience', { audience: 'other' }],
    ['an expiry in the past', { expires: Math.floor(Date.now() / 1000) - 60 }],
    ['no subject', { subject: '' }],
  ])('rejects a token with %s', async (_, changes) => {
    await expect(authentication.authenticate(headers(await sign(changes)))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });

  it.each([[['alice']], [{ a: 1 }], [{ toString: 1 }], [null], [''], [' '], [7]])(
    'rejects a token whose subject is %j',
    async (sub) => {
      const token = headers(await sign({ subject: '', claims: { sub } }));
      await expect(authentication.authenticate(token)).rejects.toMatchObject({
        code: 'UNAUTHENTICATED',
        message:
          'The claim "sub" of the token is missing or has an unexpected value. Ask the identity provider for a token for this agent.',
      });
    },
  );

  it('rejects a text that is not a token, and a token signed with a shared secret', async () => {
    const shared = await new SignJWT({})
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .setIssuer(ISSUER)
      .setAudience(AUDIENCE)
      .setSubject('alice')
      .setExpirationTime('5m')
      .sign(new TextEncoder().encode('a secret that is long enough for it'));
    for (const token of ['nonsense', shared]) {
      await expect(authentication.authenticate(headers(token))).rejects.toMatchObject({
        code: 'UNAUTHENTICATED',
      });
    }
  });

  it('is unavailable, instead of rejecting the token, if the keys cannot be fetched', async () => {
    const broken = await jwtAuthentication({
      issuer: ISSUER,
      audience: AUDIENCE,
      jwks: { url: `${jwksUrl}/broken` },
    });
    await expect(broken.authenticate(headers(await sign()))).rejects.toMatchObject({
      code: 'UNAVAILABLE',
      retryAfterSeconds: 5,
    });
  });

  it('logs why the keys cannot be fetched, once for many requests and without the query', async () => {
    const errors: unknown[] = [];
    const unreachable = await jwtAuthentication({
      issuer: ISSUER,
      audience: AUDIENCE,
      jwks: { url: 'http://127.0.0.1:4/keys?secret=hidden' },
      log: { ...noopLog, error: (...line) => void errors.push(line) },
    });
    const token = await sign();
    for (let request = 0; request < 3; request += 1) {
      await expect(unreachable.authenticate(headers(token))).rejects.toMatchObject({ code: 'UNAVAILABLE' });
    }
    await expect(unreachable.authenticate(headers('nonsense'))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
    expect(errors).toEqual([
      [
        'The keys of the token issuer could not be fetched. Requests with a token get 503.',
        {
          issuer: ISSUER,
          keys: 'http://127.0.0.1:4/keys',
          error: expect.stringContaining('ECONNREFUSED') as string,
        },
      ],
    ]);
  });

  it('reports for readiness that the keys cannot be fetched, until they can be, without a request', async () => {
    vi.useFakeTimers({ toFake: ['performance'] });
    onTestFinished(() => void vi.useRealTimers());
    let isDown = true;
    const issuer = createServer((_, response) => {
      response.writeHead(isDown ? 500 : 200, { 'Content-Type': 'application/json', Connection: 'close' });
      response.end(JSON.stringify(keySet));
    });
    await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise((resolve) => issuer.close(() => resolve())));
    const lines: string[] = [];
    const jwt = await jwtAuthentication({
      issuer: ISSUER,
      audience: AUDIENCE,
      jwks: { url: `http://127.0.0.1:${(issuer.address() as AddressInfo).port}` },
      log: { ...noopLog, warn: (message) => void lines.push(message) },
    });
    const besides = anyOf([jwt, apiKeyAuthentication(openMemoryStore())]);
    const problems = () => Promise.all([jwt.problem?.(), anyOf([jwt]).problem?.(), besides.problem?.()]);

    const problem = 'The keys of the token issuer could not be fetched.';
    expect(await problems()).toEqual([problem, problem, undefined]);
    isDown = false;
    expect(await problems()).toEqual([problem, problem, undefined]);
    vi.advanceTimersByTime(5_000);
    expect(await problems()).toEqual([undefined, undefined, undefined]);
    expect(lines).toEqual(['The keys of the token issuer can be fetched again.']);
  });

  it('reports for readiness when keys are too old to be used and cannot be fetched again, not before', async () => {
    vi.useFakeTimers({ toFake: ['performance', 'Date'] });
    onTestFinished(() => void vi.useRealTimers());
    let fetches = 0;
    const issuer = createServer((_, response) => {
      fetches += 1;
      response.writeHead(fetches === 1 ? 200 : 500, {
        'Content-Type': 'application/json',
        Connection: 'close',
      });
      response.end(JSON.stringify(keySet));
    });
    await new Promise<void>((resolve) => issuer.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => new Promise((resolve) => issuer.close(() => resolve())));
    const jwt = await jwtAuthentication({
      issuer: ISSUER,
      audience: AUDIENCE,
      jwks: { url: `http://127.0.0.1:${(issuer.address() as AddressInfo).port}` },
    });
    expect(await jwt.problem?.()).toBeUndefined();
    vi.advanceTimersByTime(300_000);
    expect(await jwt.problem?.()).toBeUndefined();
    expect(fetches).toBe(1);
    vi.advanceTimersByTime(300_000);
    expect(await jwt.problem?.()).toBe('The keys of the token issuer could not be fetched.');
    expect(fetches).toBe(2);
  });

  it('does not report that all is well before the keys were fetched for the first time', async () => {
    const silent = createServer(() => {});
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    onTestFinished(() => void silent.close());
    onTestFinished(() => silent.closeAllConnections());
    const jwt = await jwtAuthentication({
      issuer: ISSUER,
      audience: AUDIENCE,
      jwks: { url: `http://127.0.0.1:${(silent.address() as AddressInfo).port}` },
    });
    expect(await jwt.problem?.()).toBe('The keys of the token issuer could not be fetched.');
  });

  it('reads keys from a file, and the tenant from its claim', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'holdword-jwks-'));
    try {
      const file = join(folder, 'jwks.json');
      await writeFile(file, JSON.stringify(keySet));
      const withTenant = await jwtAuthentication({
        issuer: ISSUER,
        audience: AUDIENCE,
        jwks: { file },
        tenantClaim: 'org',
      });
      expect(await withTenant.authenticate(headers(await sign({ claims: { org: 'acme' } })))).toMatchObject({
        id: 'jwt:alice',
        authenticated: true,
        tenant: 'acme',
      });
      await expect(withTenant.authenticate(headers(await sign()))).rejects.toThrow('claim "org"');
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
