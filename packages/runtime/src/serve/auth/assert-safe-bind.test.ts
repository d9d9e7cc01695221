import { openMemoryStore } from '@holdword/store';
import { describe, expect, it } from 'vitest';
import { apiKeyAuthentication } from './api-key-authentication.ts';
import { assertSafeBind } from './assert-safe-bind.ts';
import { noAuthentication } from './no-authentication.ts';

describe('assertSafeBind', () => {
  it.each(['127.0.0.1', '127.1.2.3', 'localhost', '::1'])('allows %s without authentication', (host) => {
    expect(() => assertSafeBind(host, noAuthentication())).not.toThrow();
  });

  it.each(['0.0.0.0', '::', '192.168.1.5', 'agent.example'])('rejects %s without authentication', (host) => {
    expect(() => assertSafeBind(host, noAuthentication())).toThrow('or serve it with authentication.');
  });

  it('allows any host with authentication', () => {
    expect(() => assertSafeBind('0.0.0.0', apiKeyAuthentication(openMemoryStore()))).not.toThrow();
  });
});
