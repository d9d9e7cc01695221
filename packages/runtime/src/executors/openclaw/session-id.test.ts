import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { sessionIdOf } from './session-id.ts';

const SESSION_ID = /^[a-z0-9][a-z0-9_-]{0,63}$/;
const anonymous = { tenant: '', caller: 'anonymous', authenticated: false };
const options = { defaultSessionId: 'a2a-0123456789ab' };
const sessionOf = (contextId: string): string => sessionIdOf(contextId, { ...options, owner: anonymous });

describe('the session of a context', () => {
  test.each([
    ['550e8400-e29b-41d4-a716-446655440000', 'a2a-550e8400-e29b-41d4-a716-446655440000'],
    ['user:123/session:456', 'a2a-user-123-session-456'],
    ['my_context_123', 'a2a-my_context_123'],
    ['my-context', 'a2a-my-context'],
    [options.defaultSessionId, options.defaultSessionId],
  ])('%s is %s', (contextId, sessionId) => {
    expect(sessionOf(contextId)).toBe(sessionId);
  });

  test.each([
    ['their case', 'Case-1', 'case-1'],
    ['what was cut off', `${'x'.repeat(70)}1`, `${'x'.repeat(70)}2`],
    ['what was replaced', 'a.b', 'a b'],
    ['hyphens at the end', 'a-', 'a'],
    ['pairs and their name', 'user:123/session:456', 'user-123-session-456'],
    ['pairs and a replaced character', 'user:123/session:456', 'user:123 session:456'],
    ['the case of pairs', 'user:a/session:b', 'user:A/session:b'],
    ['an id without a usable character', '日本', '中国'],
    ['being the default session', '0123456789ab', options.defaultSessionId],
    ['an id that looks like one with a hash', 'Case-1', sessionOf('Case-1').slice('a2a-'.length)],
  ])('contexts that differ in %s have two sessions', (_, one, other) => {
    expect(sessionOf(one)).not.toBe(sessionOf(other));
    expect(sessionOf(one)).toMatch(SESSION_ID);
    expect(sessionOf(other)).toMatch(SESSION_ID);
  });

  test('any two contexts have two sessions', () => {
    const id = fc.stringMatching(/^[abA1:/_ -]{1,12}$/);
    fc.assert(
      fc.property(id, id, (one, other) => {
        expect(sessionOf(one)).toMatch(SESSION_ID);
        expect(sessionOf(one) === sessionOf(other)).toBe(one === other);
      }),
      { numRuns: 2_000 },
    );
  });

  test('owners who use the same context id have separate sessions', () => {
    const owners = [
      anonymous,
      { tenant: '', caller: 'ada', authenticated: true },
      { tenant: '', caller: 'bob', authenticated: true },
      { tenant: 'acme', caller: 'ada', authenticated: true },
      { tenant: 'acme', caller: 'anonymous', authenticated: false },
    ];
    for (const contextId of ['my_context_123', options.defaultSessionId]) {
      const sessions = owners.map((owner) => sessionIdOf(contextId, { ...options, owner }));
      expect(new Set(sessions).size).toBe(owners.length);
      for (const session of sessions) expect(session).toMatch(SESSION_ID);
    }
  });
});
