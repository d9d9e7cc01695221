import { expect, test } from 'vitest';
import { ClaimChecker } from './check-claims.ts';
import type { Fact } from './evidence/evidence.ts';

const TRANSCRIPT: Fact[] = [
  {
    text: 'Done: batches 1 to 3\nRemaining: batches 4 to 10\nThe API is deployed. The worker is not deployed.',
    by: 'user',
    source: { task_id: 't', sequence: 1 },
  },
  { text: '已完成：第1到第3批。待办：第4批', by: 'user', source: { task_id: 't', sequence: 4 } },
];

function check(text: string, quote: string, sequence = 1, taskId = 't'): string {
  const checker = new ClaimChecker(TRANSCRIPT);
  const claim = checker.check({ text, quote, task_id: taskId, sequence });
  return claim?.text ?? checker.rejected[0]?.reason ?? 'no reason';
}

test.each([
  ['Remaining: batches 4 to 10', 'Remaining: batches 4 to 10'],
  ['batches 4 to 10 remaining', 'batches 4 to 10'],
  ['Batches 4 to 10.', 'remaining:  Batches 4 to 10'],
  ['The worker is not deployed', 'The worker is not deployed.'],
])('passes %j, quoted from %j', (text, quote) => {
  expect(check(text, quote)).toBe(text);
});

test.each([
  ['batches 4 to 10', 'batches 4 to 10', 2, 'There is no such event.'],
  ['batches 4 to 10', 'batches 4 to 10', 1_000, 'There is no such event.'],
  ['batches 4 to 11', 'batches 4 to 11', 1, 'The event does not say what is quoted.'],
  ['batches 4 to 11', 'batches 4 to 10', 1, 'The quoted line does not say "11".'],
  ['Done: batches 4 to 10', 'batches 4 to 10', 1, 'The quoted line does not say "done".'],
  ['Nothing remaining', 'Remaining: batches 4 to 10', 1, 'The quoted line does not say "nothing".'],
  [
    'The worker is deployed, all of it',
    'The worker is not deployed.',
    1,
    'The quoted line does not say "all".',
  ],
  ['The API is not deployed', 'The API is deployed.', 1, 'The quoted line does not say "not".'],
  ['1 to 10', 'batches 1 to 3 Remaining: batches 4 to 10', 1, 'The event does not say what is quoted.'],
])('rejects %j, quoted from %j of event %i: %s', (text, quote, sequence, reason) => {
  expect(check(text, quote, sequence)).toBe(reason);
});

test('rejects what another task says', () => {
  expect(check('batches 4 to 10', 'batches 4 to 10', 1, 'another')).toBe('There is no such event.');
});

test('shortens what it passes, and counts what it rejects', () => {
  const text = 'word '.repeat(200).trim();
  const checker = new ClaimChecker([{ text, by: 'user', source: { task_id: 't', sequence: 1 } }]);
  expect(checker.check({ text, quote: text, task_id: 't', sequence: 1 })?.text).toHaveLength(301);
  for (let index = 0; index < 9; index += 1)
    checker.check({ text: 'no', quote: 'no', task_id: 't', sequence: index + 2 });
  expect(checker.rejectedCount).toBe(9);
  expect(checker.rejected).toHaveLength(5);
});

test('a claim cannot drop the negation of its line', () => {
  expect(check('The worker is deployed', 'The worker is not deployed.')).toBe(
    'The claim leaves out "not", which its line says.',
  );
});
