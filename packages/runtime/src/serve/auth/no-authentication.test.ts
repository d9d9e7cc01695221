import { describe, expect, it } from 'vitest';
import { noAuthentication } from './no-authentication.ts';

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
