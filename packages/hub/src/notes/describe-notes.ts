import { shorten } from '@holdword/protocol/internal';
import type { Note, NoteKind } from './note.ts';
import { notesOfText } from './read-notes.ts';
import { isSmallTalk } from './speech-acts.ts';

const KIND_WORDS: Readonly<Record<NoteKind, string>> = {
  done: 'done',
  remaining: 'remaining',
  next: 'next',
  decisions: 'decided',
  questions: 'an open question',
  risk: 'a risk',
  error: 'an error',
};
const KINDS = Object.keys(KIND_WORDS) as NoteKind[];
/** With the ellipsis. */
const MAX_TEXT_LENGTH = 81;
const TEXTS_TOLD = 3;

const HOW_TO_REPORT =
  'Nothing in it was understood as done, remaining or next: a hand-off packet quotes it as it is. To report work, write "Done: …", "Remaining: …" or "Next: …".';

/** What was understood of a report, in one line; undefined if nothing was understood but trouble. */
export function describeNotes(text: string): string | undefined {
  // The answer warns of a dangerous action itself, and does not repeat it. Praise is no work.
  const notes = notesOfText(text).filter(
    ({ isDanger, isBare, resolves }) => isDanger !== true && !(isBare === true && resolves === true),
  );
  if (notes.every(({ kind }) => kind === 'error')) return undefined;
  const told = KINDS.flatMap((kind) => ofKind(kind, notes));
  return `Recorded: ${told.join('; ')}.`;
}

/** How to write a report, after a message that says something and none of it was understood. */
export function howToReport(text: string): string | undefined {
  return isSmallTalk(text) || notesOfText(text).length > 0 ? undefined : HOW_TO_REPORT;
}

/** Whether a message says that something is left, or wrong. */
export function leavesWork(text: string): boolean {
  return notesOfText(text).some(
    ({ kind, isNone }) => isNone !== true && (kind === 'remaining' || kind === 'next' || kind === 'error'),
  );
}

function ofKind(kind: NoteKind, notes: readonly Note[]): string[] {
  const own = notes.filter((note) => note.kind === kind);
  const texts = own.filter(({ isNone }) => isNone !== true).map(({ text }) => quoted(text));
  if (texts.length === 0) return own.length > 0 && kind === 'remaining' ? ['"nothing" as remaining'] : [];
  const more = texts.length > TEXTS_TOLD ? ` and ${texts.length - TEXTS_TOLD} more` : '';
  return [`${texts.slice(0, TEXTS_TOLD).join(', ')}${more} as ${KIND_WORDS[kind]}`];
}

function quoted(text: string): string {
  return `"${shorten(text.replace(/[.!]$/, ''), MAX_TEXT_LENGTH)}"`;
}
