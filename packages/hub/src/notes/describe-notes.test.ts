import { expect, test } from 'vitest';
import { describeNotes, howToReport } from './describe-notes.ts';

test.each([
  ['Done: batches 1 to 3\nRemaining: batch 4', 'Recorded: "batches 1 to 3" as done; "batch 4" as remaining.'],
  ['Done: all\nRemaining: none', 'Recorded: "all" as done; "nothing" as remaining.'],
  [
    'Remaining:\n- a\n- b\n- c\n- d\nRisk: e',
    'Recorded: "a", "b", "c" and 1 more as remaining; "e" as a risk.',
  ],
])('%j', (text, line) => {
  expect(describeNotes(text)).toBe(line);
  expect(howToReport(text)).toBeUndefined();
});

test('says how to report work after a message that says something else', () => {
  expect(describeNotes('The lights are blue.')).toBeUndefined();
  expect(howToReport('The lights are blue.')).toContain('"Remaining: …"');
  expect(howToReport('Thank you!')).toBeUndefined();
});
