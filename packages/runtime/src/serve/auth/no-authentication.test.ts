import { openMemoryStore } from '@holdword/store';
import { describe, expect, it } from 'vitest';
import { apiKeyAuthentication } from './api-key-authentication.ts';
import { assertSafeBind, noAuthentication } from './no-authentication.ts';

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
