import { A2AError } from '@holdword/protocol';
import { describe, expect, it } from 'vitest';
import { anyOf } from './any-of.ts';
import { headerValue, type Authentication } from './authentication.ts';
import { requireCaller } from './require-caller.ts';

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

const authentication = anyOf([byHeader('one'), byHeader('two')]);

describe('anyOf', () => {
  it('asks each method until one finds its credential', async () => {
    expect(await authentication.authenticate({ two: 'alice' })).toMatchObject({ id: 'alice' });
    expect(await authentication.authenticate({ one: 'bob', two: 'alice' })).toMatchObject({ id: 'bob' });
    expect(await authentication.authenticate({})).toBeUndefined();
  });

  it('rejects a wrong credential even if another one is valid', async () => {
    await expect(authentication.authenticate({ one: 'wrong', two: 'alice' })).rejects.toThrow('Wrong.');
  });

  it('offers all schemes, and one challenge for methods that share it', () => {
    expect(Object.keys(authentication.securitySchemes)).toEqual(['one', 'two']);
    expect(authentication.challenge).toBe('Bearer');
  });
});

describe('requireCaller', () => {
  it('names the schemes when no credential was sent', async () => {
    await expect(requireCaller(authentication, {})).rejects.toMatchObject({
      code: 'UNAUTHENTICATED',
      message: expect.stringContaining('one, two'),
    });
  });
});
