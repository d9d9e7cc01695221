import { A2AError } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { logFailure } from './log-failure.ts';

test('logs internal failures, including those with an error code, and no rejected requests', () => {
  const told: unknown[] = [];
  const log = { info() {}, warn() {}, error: (_: string, fields?: object) => told.push(fields) };
  logFailure(log, new Error('the disk is full'));
  logFailure(log, new A2AError('INTERNAL', 'Something.', { cause: new TypeError('not a text') }));
  logFailure(log, new A2AError('INTERNAL', 'The task has no journal.'));
  logFailure(log, new A2AError('TASK_NOT_FOUND', 'There is no such task.'));
  expect(told).toEqual([
    { error: 'Error: the disk is full' },
    { error: 'TypeError: not a text' },
    { error: 'A2AError: The task has no journal.' },
  ]);
});
