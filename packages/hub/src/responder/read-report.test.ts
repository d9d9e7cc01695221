import { expect, test } from 'vitest';
import type { Advice } from './advice-memory.ts';
import { readReport } from './read-report.ts';

const OPEN: Advice = {
  kind: 'rate_limit',
  step: 'stop_retries',
  sessionId: 's',
  taskId: 't',
  at: 0,
  errors: null,
};

test.each([
  ['That worked, thank you.', 'helped'],
  ['The storm is resolved.', 'helped'],
  ['There are no more errors.', 'helped'],
  ['Fixed!', 'helped'],
  ['Everything is back to normal', 'helped'],
  ['It works again.', 'helped'],
  ['We fixed the problem.', 'helped'],
  ['It did not help.', 'did_not_help'],
  ['That didn’t work.', 'did_not_help'],
  ['We still get a 429.', 'did_not_help'],
  ['It is still failing', 'did_not_help'],
  ['Now it is worse.', 'did_not_help'],
  ['Same error as before', 'did_not_help'],
  ['That helped for a minute, but the 429 is back again', 'did_not_help'],
  ['Nothing changed.', 'did_not_help'],
  ['I did that.', 'done'],
  ['OK, done', 'done'],
  ['We stopped the retries of the request.', 'done'],
  ['I have not done that yet', undefined],
  ['I worked on it for an hour', undefined],
  ['The worker was fixed to one core by the scheduler', undefined],
  ['Done: batches 1 to 3', undefined],
  ['We are stuck in a retry storm (429). Need a calm next step.', undefined],
  ['What now?', undefined],
])('%s', (text, result) => {
  expect(readReport(text, [OPEN])?.result).toBe(result);
});

test('nothing is reported if nothing was advised', () => {
  expect(readReport('That worked.', [])).toBeUndefined();
});
