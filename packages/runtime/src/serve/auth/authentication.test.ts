import { A2AError } from '@holdword/protocol';
import { openMemoryStore } from '@holdword/store';
import { describe, expect, it } from 'vitest';
import { userAuthentication } from '../testing/user-authentication.ts';
import { apiKeyAuthentication } from './api-key-authentication.ts';
import {
  anyOf,
  assertSafeBind,
  type Authentication,
  headerValue,
  noAuthentication,
  type RequestHeaders,
  requireCaller,
} from './authentication.ts';

const SCHEMES = 'Send the header "Authorization: Bearer KEY" or "X-API-Key: KEY".';

it.each<[RequestHeaders, string]>([
  [{}, 'none'],
  [{ authorization: 'Bearer s3cret' }, 'an Authorization header (Bearer) that this agent does not recognize'],
  [{ authorization: 'Bearer' }, 'an Authorization header (Bearer) that this agent does not recognize'],
  [{ authorization: ['basic s3cret'] }, 'an Authorization header (basic) that this agent does not recognize'],
  [{ authorization: 's3cret' }, 'an Authorization header with another scheme'],
  [{ authorization: 's3cret more' }, 'an Authorization header with another scheme'],
])('says what was found in %j, without the secret', async (headers, found) => {
  const authentication = apiKeyAuthentication(openMemoryStore());
  await expect(requireCaller(authentication, headers)).rejects.toMatchObject({
    code: 'UNAUTHENTICATED',
    message: `Authentication required: found ${found}. ${SCHEMES}`,
  });
});

it('says that a key was found if keys are not supported', async () => {
  await expect(requireCaller(userAuthentication, { 'x-api-key': 's3cret' })).rejects.toThrow(
    'Authentication required: found an X-API-Key header that this agent does not recognize. Send the header "X-User: KEY".',
  );
});

it('refers to the card for schemes that are not headers', async () => {
  const mtls = { mtlsSecurityScheme: {} };
  const jwt = { httpAuthSecurityScheme: { scheme: 'Bearer', bearerFormat: 'JWT' } };
  await expect(requireCaller({ ...userAuthentication, securitySchemes: { mtls } }, {})).rejects.toThrow(
    'Send one of: mtls (the agent card describes them under securitySchemes).',
  );
  await expect(requireCaller({ ...userAuthentication, securitySchemes: { mtls, jwt } }, {})).rejects.toThrow(
    'Send the header "Authorization: Bearer TOKEN", or what the agent card describes under securitySchemes.',
  );
});

function byHeader(name: string): Authentication {
  return {
    authenticate(headers) {
      const value = headerValue(headers, name);
      if (value === 'wrong') return Promise.reject(new A2AError('UNAUTHENTICATED', 'Wrong.'));
      return Promise.resolve(value === undefined ? undefined : { id: value, authenticated: true });
    },
    securitySchemes: { [name]: { mtlsSecurityScheme: {} } },
    challenge: 'Bearer',
  };
}

const oneOrTwo = anyOf([byHeader('one'), byHeader('two')]);

describe('anyOf', () => {
  it('asks each method until one finds its credential', async () => {
    expect(await oneOrTwo.authenticate({ two: 'alice' })).toMatchObject({ id: 'alice' });
    expect(await oneOrTwo.authenticate({ one: 'bob', two: 'alice' })).toMatchObject({ id: 'bob' });
    expect(await oneOrTwo.authenticate({})).toBeUndefined();
  });

  it('rejects a wrong credential even if another one is valid', async () => {
    await expect(oneOrTwo.authenticate({ one: 'wrong', two: 'alice' })).rejects.toThrow('Wrong.');
  });

  it('offers all schemes, and one challenge for methods that share it', () => {
    expect(Object.keys(oneOrTwo.securitySchemes)).toEqual(['one', 'two']);
    expect(oneOrTwo.challenge).toBe('Bearer');
  });
});

describe('requireCaller', () => {
  it('names the schemes when no credential was sent', async () => {
    await expect(requireCaller(oneOrTwo, {})).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      message: expect.stringContaining('one, two'),
    });
  });
});

describe('noAuthentication', () => {
  it.each([undefined, 'localhost:4310', '127.0.0.1', '127.0.0.1:4310', '[::1]:4310', 'agent.example'])(
    'accepts a request for the host %s as anonymous',
    async (host) => {
      const authentication = noAuthentication({ allowedHosts: ['agent.example'] });
      expect(await authentication.authenticate({ host })).toEqual({ id: 'anonymous', authenticated: false });
    },
  );

  it.each(['rebound.example:4310', '127.0.0.1.example', ''])(
    'rejects one for the host "%s"',
    async (host) => {
      await expect(noAuthentication().authenticate({ host })).rejects.toMatchObject({
        code: 'PERMISSION_DENIED',
      });
    },
  );

  it('names each allowed host once', async () => {
    const authentication = noAuthentication({ allowedHosts: ['127.0.0.1'] });
    await expect(authentication.authenticate({ host: 'rebound.example' })).rejects.toThrow(
      'accepts only the host names 127.0.0.1, localhost.',
    );
  });
});

describe('assertSafeBind', () => {
  it.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1'])(
    'allows %s without authentication',
    async (host) => {
      await expect(assertSafeBind(host, noAuthentication())).resolves.toBeUndefined();
    },
  );

  it.each(['0.0.0.0', '::', '192.168.1.5'])('rejects %s without authentication', async (host) => {
    await expect(assertSafeBind(host, noAuthentication())).rejects.toThrow(
      'or serve it with authentication.',
    );
  });

  it.each(['300.1.1.1', 'agent.invalid'])('says that %s does not exist', async (host) => {
    await expect(assertSafeBind(host, noAuthentication())).rejects.toThrow(
      `Cannot listen on ${host}: the host name cannot be resolved. Choose a different host.`,
    );
  });

  it('allows any host with authentication', async () => {
    await expect(assertSafeBind('0.0.0.0', apiKeyAuthentication(openMemoryStore()))).resolves.toBeUndefined();
  });
});
