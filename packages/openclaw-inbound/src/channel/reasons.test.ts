import { StoreError } from '@holdword/store';
import { expect, test } from 'vitest';
import { failureReason, routeReason } from './reasons.ts';

const ACCOUNT = { accountId: 'front', taskStore: { kind: 'sqlite', path: '/srv/tasks' } } as const;

test.each([
  [
    new StoreError('in-use', 'It is in use.'),
    'store-in-use',
    'channels.a2a.accounts.front.taskStore (/srv/tasks) is in use by another process.',
  ],
  [
    new StoreError('corrupt', 'It is damaged; use a different data folder.'),
    'store-unusable',
    'channels.a2a.accounts.front.taskStore (/srv/tasks) cannot be used. It is damaged; use a different data folder.',
  ],
  [new Error('No such key file.'), 'start-failed', 'No such key file.'],
  ['a text', 'start-failed', 'a text'],
])('a start that fails with %s has a reason', (error, code, message) => {
  expect(failureReason(error, ACCOUNT)).toEqual({ code, message: expect.stringContaining(message) });
});

test('a path conflict contains the error of the host', () => {
  expect(routeReason(new Error('http route already registered: /a2a'), ACCOUNT)).toEqual({
    code: 'path-conflict',
    message: expect.stringContaining(
      'A path of account "front" is already in use: http route already registered: /a2a.',
    ),
  });
});
