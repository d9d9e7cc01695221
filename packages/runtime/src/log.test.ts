import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { errorReason, OutageLog } from './log.ts';

describe('the reason of an error', () => {
  test.each<[string, unknown, string]>([
    ['its message', new Error('no disk'), 'no disk'],
    ['its causes', new Error('fetch failed', { cause: new Error('refused') }), 'fetch failed: refused'],
    ['a cause that is a text', new Error('fetch failed', { cause: 'refused' }), 'fetch failed: refused'],
    ['a sentence and its cause', new Error('No disk.', { cause: new Error('ENOSPC') }), 'No disk: ENOSPC'],
    ['its name without a message', new TypeError(), 'TypeError'],
    ['what was thrown', 'just a text', 'just a text'],
    ['nothing', undefined, 'undefined'],
  ])('the reason of an error is %s', (_name, error, reason) => {
    expect(errorReason(error)).toBe(reason);
  });

  test('an error that causes itself has a reason', () => {
    const error = new Error('round');
    error.cause = error;
    expect(errorReason(error)).toBe('round: round: round: round: round');
  });
});

test('an outage is logged when it begins and when it has ended, and at most once a minute', () => {
  vi.useFakeTimers({ toFake: ['performance'] });
  onTestFinished(() => void vi.useRealTimers());
  const lines: unknown[][] = [];
  const add =
    (level: string) =>
    (...line: unknown[]) =>
      void lines.push([level, ...line]);
  const log = { info: add('info'), warn: add('warn'), error: add('error') };
  const outage = new OutageLog(log, { beginning: 'It fails.', end: 'It works.' });
  const refused = new Error('No answer.', { cause: new Error('refused') });
  const begun = ['error', 'It fails.', { host: 'db', error: 'No answer: refused' }];
  const ended = ['warn', 'It works.', undefined];

  outage.succeeded();
  for (let times = 0; times < 3; times += 1) outage.failed(refused, { host: 'db' });
  expect([outage.isFailing, lines]).toEqual([true, [begun]]);
  for (let times = 0; times < 3; times += 1) outage.succeeded();
  expect([outage.isFailing, lines]).toEqual([false, [begun, ended]]);

  outage.failed(refused, { host: 'db' });
  outage.succeeded();
  expect(lines).toHaveLength(2);
  vi.advanceTimersByTime(60_000);
  outage.failed(refused, { host: 'db' });
  expect(lines).toEqual([begun, ended, begun]);
});
