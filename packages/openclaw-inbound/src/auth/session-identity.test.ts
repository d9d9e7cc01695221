import type { Owner } from '@holdword/runtime';
import { expect, test } from 'vitest';
import { sessionIdentity } from './session-identity.ts';

const ALICE: Owner = { tenant: '', caller: 'peer:alice', authenticated: true };

test('the same caller and conversation have the same session, in characters that no host changes', () => {
  const identity = sessionIdentity('default', ALICE, 'Talk: ../1');
  expect(sessionIdentity('default', { ...ALICE }, 'Talk: ../1')).toEqual(identity);
  for (const id of Object.values(identity)) expect(id).toMatch(/^[a-z0-9-]+$/);
});

test.each<[string, string, Owner, string]>([
  ['account', 'other', ALICE, 'talk'],
  ['caller', 'default', { ...ALICE, caller: 'peer:bob' }, 'talk'],
  ['tenant', 'default', { ...ALICE, tenant: 't' }, 'talk'],
  ['anonymous caller with the id of a peer', 'default', { ...ALICE, authenticated: false }, 'talk'],
  ['context', 'default', ALICE, 'talk-2'],
  ['context in other case', 'default', ALICE, 'TALK'],
])('another %s has another session', (_, accountId, owner, conversation) => {
  const { conversationId } = sessionIdentity('default', ALICE, 'talk');
  expect(sessionIdentity(accountId, owner, conversation).conversationId).not.toBe(conversationId);
});

test('adjacent ids are not confused', () => {
  const one = sessionIdentity('a', { ...ALICE, caller: 'b' }, 'c');
  expect(sessionIdentity('a', { ...ALICE, caller: 'b","c' }, '')).not.toEqual(one);
});
