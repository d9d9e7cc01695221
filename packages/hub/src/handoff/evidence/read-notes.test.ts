import { expect, test } from 'vitest';
import { notesOfMetadata, notesOfParts, notesOfText } from './read-notes.ts';

test.each([
  ['Decision: keep the old parser', { kind: 'decisions', text: 'keep the old parser' }],
  ['- [x] tokens are read', { kind: 'done', text: 'tokens are read' }],
  ['  * [ ] errors name the line', { kind: 'remaining', text: 'errors name the line' }],
  ['1. TODO: measure it', { kind: 'remaining', text: 'measure it' }],
  ['**Risk:** the cache grows', { kind: 'risk', text: 'the cache grows' }],
  ['Next step: run the tests', { kind: 'next', text: 'run the tests' }],
  ['Open question: which port?', { kind: 'questions', text: 'which port?' }],
  ['error: no such table', { kind: 'error', text: 'no such table' }],
])('%s', (line, note) => {
  expect(notesOfText(`Hello.\n${line}\nBye.`)).toEqual([note]);
});

test.each(['I am done: no', 'nextcloud: is down', 'Decision:', 'The risk: small', '[x]'])(
  '%s is not a note',
  (line) => {
    expect(notesOfText(line)).toEqual([]);
  },
);

test('reads notes from data and metadata', () => {
  const notes = { handoff_notes: { done: ['a', 'b'], next: 'c', mood: 'good' } };
  const expected = [
    { kind: 'done', text: 'a' },
    { kind: 'done', text: 'b' },
    { kind: 'next', text: 'c' },
  ];
  expect(notesOfParts([{ data: notes }])).toEqual(expected);
  expect(notesOfMetadata(notes)).toEqual(expected);
  expect(notesOfMetadata({ handoff_notes: { done: 7 } })).toEqual([]);
  expect(notesOfParts([{ data: null }, { url: 'https://a.example' }])).toEqual([]);
});
