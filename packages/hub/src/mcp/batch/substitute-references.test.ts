import { expect, test } from 'vitest';
import { substituteReferences, type BatchReferences } from './substitute-references.ts';

const references: BatchReferences = {
  sessionId: 'session-1',
  results: new Map([
    ['reflect', { answer: 'breathe', score: 7, next: { action: 'wait' }, session_id: 'session-2' }],
  ]),
};

test.each([
  ['$SESSION_ID', 'session-1'],
  ['${SESSION_ID}', 'session-1'],
  ['in $SESSION_ID, twice ${SESSION_ID}', 'in session-1, twice session-1'],
  ['$SESSION_IDENTITY', '$SESSION_IDENTITY'],
  ['$prev.reflect.answer', 'breathe'],
  ['$prev.reflect.score', 7],
  ['$prev.reflect.next', { action: 'wait' }],
  ['$prev.reflect.next.action', 'wait'],
  ['score $prev.reflect.score, then $prev.reflect.next', 'score 7, then {"action":"wait"}'],
  ['costs 5$', 'costs 5$'],
  [42, 42],
  [null, null],
])('%j becomes %j', (given, expected) => {
  expect(substituteReferences(given, references)).toEqual(expected);
});

test('reaches into lists and objects, and leaves names of fields alone', () => {
  const given = { session_id: '$SESSION_ID', notes: ['$prev.reflect.answer', 1], $SESSION_ID: true };
  expect(substituteReferences(given, references)).toEqual({
    session_id: 'session-1',
    notes: ['breathe', 1],
    $SESSION_ID: true,
  });
});

test('what a tool said is data: references in it stay as they are', () => {
  const results = new Map([['reflect', { answer: 'say $SESSION_ID and $prev.reflect.answer' }]]);
  expect(substituteReferences('it: $prev.reflect.answer', { ...references, results })).toBe(
    'it: say $SESSION_ID and $prev.reflect.answer',
  );
});

test.each([
  ['$prev.other.answer', 'Expected an earlier call of other for $prev.other.answer, found only reflect.'],
  [
    '$prev.reflect.missing',
    'Expected a field missing for $prev.reflect.missing, found only answer, score, next, session_id.',
  ],
  ['$prev.reflect.answer.length', 'Expected a field length for $prev.reflect.answer.length, found none.'],
  [
    '$prev.reflect.constructor',
    'Expected a field constructor for $prev.reflect.constructor, found only answer, score, next, session_id.',
  ],
])('%s leads nowhere and says so', (given, message) => {
  expect(() => substituteReferences(given, references)).toThrow(message);
});

test('without a session there is none to put in', () => {
  expect(() => substituteReferences('$SESSION_ID', { sessionId: undefined, results: new Map() })).toThrow(
    'Expected a session for $SESSION_ID, found none.',
  );
});
