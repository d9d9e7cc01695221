import type { Part, TaskArtifactUpdateEvent } from '@holdword/protocol';
import { expect, test } from 'vitest';
import { ArtifactNotes } from './artifact-notes.ts';

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
