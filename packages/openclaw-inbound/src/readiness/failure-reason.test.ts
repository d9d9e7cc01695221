import { StoreError } from '@holdword/store';
import { expect, test } from 'vitest';
import { failureReason, routeReason } from './failure-reason.ts';

const ACCOUNT = { accountId: 'front' };

test.each([
  [
    new StoreError('in-use', 'Somebody serves it.'),
    'store-in-use',
    'channels.a2a.accounts.front.taskStore is in use by another process.',
  ],
  [
    new StoreError('corrupt', 'It is damaged; use a different --data folder.'),
    'store-unusable',
    'channels.a2a.accounts.front.taskStore cannot be used. It is damaged; use a different folder.',
  ],
  [new Error('No such key file.'), 'start-failed', 'No such key file.'],
  ['a text', 'start-failed', 'a text'],
])('a start that was rejected with %s has a reason', (error, code, message) => {
  expect(failureReason(error, ACCOUNT)).toEqual({ code, message: expect.stringContaining(message) });
});

test('a path that is taken is told with what the host said', () => {
  expect(routeReason(new Error('http route already registered: /a2a'), ACCOUNT)).toEqual({
    code: 'path-conflict',
    message: expect.stringContaining(
      'A path of account "front" is taken: http route already registered: /a2a.',
    ),
  });
});
