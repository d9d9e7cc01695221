import { expect, test } from 'vitest';
import { readOutcome } from './advice-memory.ts';

test.each([
  ['That worked, thank you.', 'helped'],
  ['The storm is resolved.', 'helped'],
  ['There are no more errors.', 'helped'],
  ['It did not help.', 'did_not_help'],
  ["That didn't work.", 'did_not_help'],
  ['We still get a 429.', 'did_not_help'],
  ['It is still failing', 'did_not_help'],
  ['Now it is worse.', 'did_not_help'],
  ['Same error as before', 'did_not_help'],
  ['We are stuck in a retry storm (429). Need a calm next step.', undefined],
  ['What now?', undefined],
])('%s', (text, outcome) => {
  expect(readOutcome(text)).toBe(outcome);
});
