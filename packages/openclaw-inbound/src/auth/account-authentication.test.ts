import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readAccounts } from '../config/read-accounts.ts';
import { digestOf, sectionOf } from '../testing/serve-scripted-account.ts';
import { accountAuthentication } from './account-authentication.ts';

async function authenticationOf(auth: object) {
  const [entry] = readAccounts(sectionOf({ auth }));
  if (entry?.config === undefined) throw new Error(entry?.problems.join('\n'));
  return accountAuthentication(entry.config);
}

const PEERS = { iris: { keySha256: [digestOf('old'), digestOf('new')], requestsPerMinute: 7 } };

describe('a peer', () => {
  test.each([[{ authorization: 'Bearer old' }], [{ authorization: 'bearer new' }], [{ 'x-api-key': 'new' }]])(
    'is authenticated by any of its keys: %j',
    async (headers) => {
      const authentication = await authenticationOf({ peers: PEERS });
      expect(await authentication.authenticate(headers)).toEqual({
        id: 'peer:iris',
        authenticated: true,
        requestsPerMinute: 7,
      });
    },
  );

  test.each([[{ authorization: 'Bearer wrong' }], [{ 'x-api-key': 'wrong' }]])(
    'is rejected with an unknown key: %j',
    async (headers) => {
      for (const required of [true, false]) {
        const authentication = await authenticationOf({ peers: PEERS, required });
        await expect(authentication.authenticate(headers)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
      }
    },
  );
});

test.each(['Basic aXJpczpvbGQ=', 'Token old', 'Bearer', 'Bearer old new'])(
  'an unsupported credential is rejected, not treated as anonymous: %s',
  async (authorization) => {
    const authentication = await authenticationOf({ peers: PEERS });
    const headers = { host: 'agents.example.com', authorization };
    await expect(authentication.authenticate(headers)).rejects.toMatchObject({ code: 'UNAUTHENTICATED' });
    const required = await authenticationOf({ peers: PEERS, required: true });
    expect(await required.authenticate(headers)).toBeUndefined();
  },
);

test.each([
  [{ authorization: 'Bearer anything' }],
  [{ authorization: 'Basic aXJpczpvbGQ=' }],
  [{ 'x-api-key': 'anything' }],
  [{ 'x-api-key': '' }],
])('a credential is rejected by an account that has none: %j', async (credential) => {
  for (const auth of [{}, { required: false }]) {
    const authentication = await authenticationOf(auth);
    const headers = { host: '127.0.0.1:18789', ...credential };
    await expect(authentication.authenticate(headers)).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      message: 'This agent knows no credentials. Send none, or ask its operator for a key.',
    });
  }
});

describe('an anonymous caller', () => {
  const anonymous = { id: 'anonymous', authenticated: false, requestsPerMinute: 600 };

  test('is accepted and rate limited', async () => {
    const open = await authenticationOf({});
    expect(await open.authenticate({ host: 'agents.example.com' })).toEqual(anonymous);
    expect(open.securitySchemes).toEqual({});
    const withPeers = await authenticationOf({ peers: PEERS });
    expect(await withPeers.authenticate({ host: '127.0.0.1:18789' })).toEqual(anonymous);
    expect(withPeers.securitySchemes).toHaveProperty('peerKey');
    expect(withPeers.isOptional).toBe(true);
  });

  test('is not accepted if credentials are required', async () => {
    const authentication = await authenticationOf({ peers: PEERS, required: true });
    expect(await authentication.authenticate({})).toBeUndefined();
    expect(authentication.isOptional).toBeUndefined();
  });
});

/** An account that accepts JWTs, and their issuer. */
async function tokens() {
  const folder = await mkdtemp(join(tmpdir(), 'holdword-tokens-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const { publicKey, privateKey } = await generateKeyPair('ES256');
  const jwksFile = join(folder, 'keys.json');
  await writeFile(jwksFile, JSON.stringify({ keys: [{ ...(await exportJWK(publicKey)), alg: 'ES256' }] }));
  const authentication = await authenticationOf({
    peers: { ...PEERS, hermes: { subject: 'hermes@example.com' } },
    jwt: { issuer: 'https://id.example.com', audience: 'a2a', jwksFile },
  });
  const sign = (subject: string, audience = 'a2a') =>
    new SignJWT({})
      .setProtectedHeader({ alg: 'ES256' })
      .setIssuer('https://id.example.com')
      .setAudience(audience)
      .setSubject(subject)
      .setExpirationTime('1m')
      .sign(privateKey);
  const authenticate = (token: string) => authentication.authenticate({ authorization: `Bearer ${token}` });
  return { authenticate, sign };
}

describe('a JWT', () => {
  test('authenticates the peer with its subject; keys still work', async () => {
    const { authenticate, sign } = await tokens();
    const caller = await authenticate(await sign('hermes@example.com'));
    expect(caller).toEqual({
      id: 'peer:hermes',
      authenticated: true,
      isStillGood: expect.any(Function) as unknown,
    });
    expect(await caller?.isStillGood?.()).toBe(true);
    expect(await authenticate('old')).toMatchObject({ id: 'peer:iris' });
  });

  test('is rejected if its subject is not a peer or its audience is wrong', async () => {
    const { authenticate, sign } = await tokens();
    await expect(authenticate(await sign('zeus@example.com'))).rejects.toMatchObject({
      code: 'PERMISSION_DENIED',
    });
    await expect(authenticate(await sign('hermes@example.com', 'other'))).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
    });
  });
});
