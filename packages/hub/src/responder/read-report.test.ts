import { expect, test } from 'vitest';
import type { Advice } from '../incidents/advice-memory.ts';
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
  ['The storm is resolved.', 'ended'],
  ['There are no more errors.', 'ended'],
  ['Fixed!', 'ended'],
  ['Everything is back to normal', 'ended'],
  ['It works again.', 'ended'],
  ['We fixed the problem.', 'ended'],
  ['It did not help.', 'did_not_help'],
  ['That didn’t work.', 'did_not_help'],
  ['We still get a 429.', 'persists'],
  ['It is still failing', 'persists'],
  ['Now it is worse.', 'persists'],
  ['Same error as before', 'persists'],
  ['That helped for a minute, but the 429 is back again', 'helped_partly'],
  ['Nothing changed.', 'did_not_help'],
  ['I did that.', 'done'],
  ['OK, done', 'done'],
  ['We stopped the retries of the request.', 'done'],
  ['I have not done that yet', 'not_done'],
  ['Not yet, the retries are in a vendor library.', 'not_done'],
  ['I will stop the automatic retries of the request tomorrow.', 'not_done'],
  ['That does not apply here.', 'does_not_fit'],
  ["Haven't looked at it yet, was in a meeting.", 'not_done'],
  ['Did what you said. No luck.', 'did_not_help'],
  ['Tried that too. Better now, only a few 429 per hour.', 'helped_partly'],
  ['False alarm, it was the staging key.', 'ended'],
  ['My colleague says "that worked".', undefined],
  ['I stopped the retries, it helped a bit but we still get 429', 'helped_partly'],
  ['Stopped the retries. That worked.', 'helped'],
  ['I worked on it for an hour', undefined],
  ['The worker was fixed to one core by the scheduler', undefined],
  ['Done: batches 1 to 3', undefined],
  ['We are stuck in a retry storm (429). Need a calm next step.', undefined],
  ['What now?', undefined],
])('%s', (text, result) => {
  expect(readReport(text, [OPEN])?.result).toBe(result);
});

test.each([
  ['I restarted the pods. That did not help.', 'did_not_help', undefined],
  ['Rolled back to 3.4.1, no change either.', 'did_not_help', undefined],
  ['I restarted the pods, but it is still failing.', 'persists', undefined],
  ['Raised the limit to 1Gi. It worked, no restart for two hours.', 'helped', 'ended'],
  ['Fixed: redis-2 was restarted, the connection works again.', 'ended', 'ended'],
  ['Restarting the gateway fixed it.', 'helped', 'ended'],
  ['The rollback helped.', 'helped', 'ended'],
])('%s is told as what the sender did', (text, own, result) => {
  const report = readReport(text, [OPEN]);
  expect(report?.own?.result).toBe(own);
  expect(report?.result).toBe(result);
});

test('nothing is reported if nothing was advised', () => {
  expect(readReport('That worked.', [])).toBeUndefined();
});
