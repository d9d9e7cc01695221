import type { Part, TaskArtifactUpdateEvent } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { notesOfText } from '../../notes/read-notes.ts';
import { ArtifactNotes, notesOfMetadata, notesOfParts } from './notes.ts';

test.each([
  ['Decision: keep the old parser', { kind: 'decisions', text: 'keep the old parser' }],
  ['- [x] tokens are read', { kind: 'done', text: 'tokens are read', isItem: true }],
  ['  * [ ] errors name the line', { kind: 'remaining', text: 'errors name the line', isItem: true }],
  ['1. TODO: measure it', { kind: 'remaining', text: 'measure it' }],
  ['**Risk:** the cache grows', { kind: 'risk', text: 'the cache grows' }],
  ['Next step: run the tests', { kind: 'next', text: 'run the tests' }],
  ['Open question: which port?', { kind: 'questions', text: 'which port?' }],
  ['error: no such table', { kind: 'error', text: 'no such table' }],
])('%s', (line, note) => {
  expect(notesOfText(`Hello.\n${line}\nBye.`)).toEqual([note]);
});

test.each(['I am done: no', 'nextcloud: is up', 'Decision:', 'The risk: small', '[x]'])(
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

function update(parts: Part[], more: Partial<TaskArtifactUpdateEvent> = {}): TaskArtifactUpdateEvent {
  return { taskId: 't', contextId: 'c', artifact: { artifactId: 'a', parts }, ...more };
}

function placed(updates: TaskArtifactUpdateEvent[]): string[] {
  const notes = new ArtifactNotes();
  for (const [index, each] of updates.entries()) notes.apply(each, index + 1);
  return notes.notes().map(({ kind, text, sequence }) => `${sequence} ${kind}: ${text}`);
}

const more = { append: true };

test('a note has the sequence number of the event that completed its line', () => {
  expect(
    placed([
      update([{ text: 'Next: port ' }], { append: false }),
      update([{ text: 'the parser\n- [x] lex' }], more),
      update([{ text: 'er' }], more),
      update([{ text: '' }], more),
    ]),
  ).toEqual(['2 next: port the parser', '3 done: lexer']);
});

test('separate parts do not share a line', () => {
  expect(placed([update([{ text: 'Risk: a' }, { text: 'Next: b' }])])).toEqual(['1 risk: a', '1 next: b']);
  expect(
    placed([
      update([{ text: 'Risk: a' }]),
      update([{ text: 'Next: b', mediaType: 'text/markdown' }], more),
      update([{ data: { handoff_notes: { done: 'c' } } }], more),
    ]),
  ).toEqual(['1 risk: a', '2 next: b', '3 done: c']);
});

test('replacing an artifact replaces its notes', () => {
  expect(placed([update([{ text: '- [ ] a\n- [ ] b' }]), update([{ text: '- [ ] b' }])])).toEqual([
    '2 remaining: b',
  ]);
});
